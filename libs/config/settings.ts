import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Matches, Max, Min, MinLength } from 'class-validator';

export const dialects = ['neutral', 'puppetdb'] as const;
export const editions = ['full', 'open'] as const;
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type Dialect = (typeof dialects)[number];
export type Edition = (typeof editions)[number];
export type LogLevel = (typeof logLevels)[number];

const year = 365 * 86_400_000;

/**
 * Everything that a person can set, typed and checked. Durations in milliseconds, sizes in bytes. The rules here say
 * which values are good; `setting-table.ts` says how each is spelled, what it means and what it is without being set.
 */
export class Settings {
  @IsString() @MinLength(1) host!: string;
  @IsInt() @Min(0) @Max(65_535) port!: number;
  @IsBoolean() cleartextAnywhere!: boolean;
  @IsOptional() @Matches(/^postgres(ql)?:\/\/\S+$/) databaseUrl?: string;
  @IsString() @MinLength(1) dataDir!: string;
  @IsIn(dialects) dialect!: Dialect;
  @IsIn(editions) edition!: Edition;
  /** As `GET /pdb/meta/v1/version` gives it. */
  @Matches(/^\d+\.\d+\.\d+([-.+][0-9A-Za-z.+-]+)?$/) reportedVersion!: string;
  @IsInt() @Min(1) @Max(1_024) logPartitions!: number;
  @IsInt() @Min(1_000) @Max(256_000_000) maxCommandSize!: number;
  @IsBoolean() rejectLargeCommands!: boolean;
  /** Names, and patterns between slashes, of facts that are not stored. */
  @IsOptional() @IsString({ each: true }) factsBlocklist?: readonly string[];
  @IsInt() @Min(0) @Max(200 * year) nodeTtl!: number;
  @IsInt() @Min(0) @Max(200 * year) nodePurgeTtl!: number;
  /** Nodes; 0: as many as there are. */
  @IsInt() @Min(0) @Max(1_000_000) nodePurgeGcBatchLimit!: number;
  @IsInt() @Min(0) @Max(200 * year) reportTtl!: number;
  @IsInt() @Min(0) @Max(200 * year) resourceEventsTtl!: number;
  @IsInt() @Min(0) @Max(year) gcInterval!: number;
  @IsInt() @Min(1) @Max(86_400_000) queryTimeout!: number;
  @IsInt() @Min(2) @Max(500) writePoolSize!: number;
  @IsInt() @Min(2) @Max(500) readPoolSize!: number;
  @IsIn(logLevels) logLevel!: LogLevel;
}
export type SettingName = keyof Settings;
