import { IsBoolean, IsIn, IsInt, IsObject, IsOptional, IsString, Matches, Max, Min, MinLength } from 'class-validator';
import type { LimitName, Limits } from '#limits';

export const dialects = ['neutral', 'puppetdb'] as const;
export const editions = ['full', 'open'] as const;
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export const checksumPolicies = ['warn', 'refuse', 'ignore'] as const;
export const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
export const queryLogs = ['off', 'slow', 'all'] as const;
type Dialect = (typeof dialects)[number];
type Edition = (typeof editions)[number];
type LogLevel = (typeof logLevels)[number];
export type ChecksumPolicy = (typeof checksumPolicies)[number];
type QueryLog = (typeof queryLogs)[number];
type SaslMechanism = (typeof saslMechanisms)[number];

const year = 365 * 86_400_000;

/**
 * Everything that a person can set, typed and checked. Durations in milliseconds, sizes in bytes. The rules here say
 * which values are good; `setting-table.ts` has the name, meaning and default of each.
 */
export class Settings {
  @IsString() @MinLength(1) host!: string;
  @IsInt() @Min(0) @Max(65_535) port!: number;
  @IsBoolean() allowInsecure!: boolean;
  @IsBoolean() cleartext!: boolean;
  /** Names of hosts, in lower case. */
  @IsOptional() @IsString({ each: true }) allowedHosts?: readonly string[];
  @IsOptional() @IsString({ each: true }) trustedProxies?: readonly string[];
  @IsString() @MinLength(1) tlsHost!: string;
  @IsInt() @Min(0) @Max(65_535) tlsPort!: number;
  /** Files. Certificate, key and CA are all there or all absent. */
  @IsOptional() @MinLength(1) tlsCert?: string;
  @IsOptional() @MinLength(1) tlsKey?: string;
  @IsOptional() @MinLength(1) tlsCa?: string;
  @IsOptional() @MinLength(1) tlsCrl?: string;
  @IsInt() @Min(0) @Max(10 * year) tlsExpiryAlert!: number;
  @IsOptional() @MinLength(1) certificateAllowlist?: string;
  @IsInt() @Min(0) @Max(600_000) drainDelay!: number;
  @IsOptional() @Matches(/^postgres(ql)?:\/\/\S+$/) databaseUrl?: string;
  @IsString() @MinLength(1) dataDir!: string;
  /** Bytes. Absent: as the file system's size says. */
  @IsOptional() @IsInt() @Min(0) minFreeDisk?: number;
  @IsIn(dialects) dialect!: Dialect;
  @IsIn(editions) edition!: Edition;
  @IsBoolean() strictQueries!: boolean;
  /** As `GET /pdb/meta/v1/version` gives it. */
  @Matches(/^\d+\.\d+\.\d+([-.+][0-9A-Za-z.+-]+)?$/) reportedVersion!: string;
  @IsInt() @Min(1) @Max(1_024) logPartitions!: number;
  /** host:port; absent: the log is the embedded one. */
  @IsOptional() @IsString({ each: true }) kafkaBrokers?: readonly string[];
  @Matches(/^(?!\.\.?$)[A-Za-z0-9._-]{1,200}$/) logTopic!: string;
  @IsOptional() @IsInt() @Min(1) @Max(100) kafkaReplication?: number;
  @IsBoolean() kafkaTls!: boolean;
  /** Files; their contents are read where the brokers are spoken to. */
  @IsOptional() @MinLength(1) kafkaTlsCa?: string;
  @IsOptional() @MinLength(1) kafkaTlsCert?: string;
  @IsOptional() @MinLength(1) kafkaTlsKey?: string;
  @IsOptional() @IsIn(saslMechanisms) kafkaSaslMechanism?: SaslMechanism;
  @IsOptional() @MinLength(1) kafkaSaslUsername?: string;
  @IsOptional() @MinLength(1) kafkaSaslPassword?: string;
  /** Absent: as the processors allow. */
  @IsOptional() @IsInt() @Min(1) @Max(64) projectorThreads?: number;
  @IsInt() @Min(0) @Max(200 * year) logHistory!: number;
  @IsInt() @Min(0) @Max(year) snapshotInterval!: number;
  @IsBoolean() rejectLargeCommands!: boolean;
  @IsIn(checksumPolicies) checksum!: ChecksumPolicy;
  /** Names, and patterns between slashes, of facts that are not stored. */
  @IsOptional() @IsString({ each: true }) factsBlocklist?: readonly string[];
  @IsInt() @Min(0) @Max(200 * year) nodeTtl!: number;
  @IsInt() @Min(0) @Max(200 * year) nodePurgeTtl!: number;
  /** Nodes; 0: as many as there are. */
  @IsInt() @Min(0) @Max(1_000_000) nodePurgeGcBatchLimit!: number;
  @IsInt() @Min(0) @Max(200 * year) reportTtl!: number;
  /** Absent: as reportTtl. */
  @IsOptional() @IsInt() @Min(0) @Max(200 * year) resourceEventsTtl?: number;
  @IsInt() @Min(0) @Max(200 * year) deadLetterTtl!: number;
  /** File with the roles of client certificates; absent: everybody may do everything. */
  @IsOptional() @MinLength(1) authorization?: string;
  @IsInt() @Min(0) @Max(200 * year) auditTtl!: number;
  @IsInt() @Min(0) @Max(year) gcInterval!: number;
  @IsInt() @Min(1) @Max(86_400_000) queryTimeout!: number;
  @IsInt() @Min(0) @Max(86_400_000) waitTimeout!: number;
  @IsInt() @Min(2) @Max(500) writePoolSize!: number;
  @IsInt() @Min(2) @Max(500) readPoolSize!: number;
  /** Absent: as many as the read pool has connections. */
  @IsOptional() @IsInt() @Min(1) @Max(500) maxQueries?: number;
  /** Absent: half of them. */
  @IsOptional() @IsInt() @Min(1) @Max(500) maxQueriesPerClient?: number;
  /** Absent: as the database is embedded or not. */
  @IsOptional() @IsInt() @Min(1) @Max(500) maxActiveQueries?: number;
  @IsBoolean() metricsEnabled!: boolean;
  /** A file. */
  @IsOptional() @MinLength(1) metricsPolicy?: string;
  @IsIn(logLevels) logLevel!: LogLevel;
  @IsIn(queryLogs) queryLog!: QueryLog;
  /** A query that takes as long is slow. */
  @IsInt() @Min(0) @Max(86_400_000) queryLogThreshold!: number;
  /** Bounds on what clients send; each value was checked where it was read. */
  @IsObject() limits!: Limits;
}
export type SettingName = Exclude<keyof Settings, 'limits'> | LimitName;
