import { resolve } from 'node:path';
import { Command } from 'commander';
import { readSettings, type Settings } from '#config';
import { Database, Generations } from '#database';
import { isFault } from '#fault';
import { expectedLogId } from '../server/live-generation';
import { checkAccess } from './doctor/check-access';
import { checkCertificates } from './doctor/check-certificates';
import { checkClock } from './doctor/check-clock';
import { checkDatabase } from './doctor/check-database';
import { checkDisk } from './doctor/check-disk';
import { checkLetters } from './doctor/check-letters';
import { checkLog } from './doctor/check-log';
import { checkSameLog } from './doctor/check-same-log';
import { checkService } from './doctor/check-service';
import { checkSubscriptions } from './doctor/check-subscriptions';
import { checkVolatileFacts } from './doctor/check-volatile-facts';
import { failure, type Finding, type FindingLevel } from './doctor/finding';
import { type ServiceFlags, withService } from './http-client';
import { withSettings } from './maintenance/run-maintenance';
import { openServer } from './open-store';
import { paint } from './paint';
import { print } from './print';
import { serviceUrl } from './service-url';

const marks: Readonly<Record<FindingLevel, string>> = { ok: 'ok     ', warning: 'warning', error: 'ERROR  ' };

export const doctorText = (findings: readonly Finding[]): string =>
  findings
    .map(({ check, level, text, remedy }) => {
      const advice = remedy === undefined ? '' : `         ${remedy}\n`;
      return `${paint(level, marks[level])}  ${check}: ${text}\n${advice}`;
    })
    .join('');

export function doctorExitCode(findings: readonly Finding[]): number {
  if (findings.some(({ level }) => level === 'error')) return 2;
  return findings.some(({ level }) => level === 'warning') ? 1 : 0;
}

export function doctorCommand(): Command {
  const command = withService(withSettings(new Command('doctor')));
  return command
    .option('--json', 'print JSON, even on a terminal')
    .addHelpText('after', '\nExit codes: 0 no problem, 1 warnings, 2 errors\n')
    .action(async (flags: string[], options: ServiceFlags & { json?: true }) => {
      const findings = await examine(flags, options, command.getOptionValueSource('url') !== 'default');
      print(findings, options, () => doctorText(findings));
      process.exitCode = doctorExitCode(findings);
    });
}

/** If `isOther` is true, the user has named the address of the service, and the address in the settings is not used. */
async function examine(flags: readonly string[], service: ServiceFlags, isOther: boolean): Promise<Finding[]> {
  let settings: Readonly<Settings>;
  try {
    settings = readSettings(flags).settings;
  } catch (error) {
    return [failure('settings', error)];
  }
  const target = isOther ? service : ofSettings(settings, service);
  return [
    { check: 'settings', level: 'ok', text: 'All settings are valid.' },
    checkAccess(settings),
    ...(await tried('certificates', () => checkCertificates(settings))),
    ...(await tried('service', () => checkService(target))),
    ...(await tried('database', () => examineStore(settings, target))),
  ];
}

/** Returns flags for a connection to the service in the settings. Certificates in `flags` take precedence. */
const ofSettings = (settings: Readonly<Settings>, flags: ServiceFlags): ServiceFlags => ({
  ...(settings.tlsCert !== undefined && { cert: settings.tlsCert }),
  ...(settings.tlsKey !== undefined && { key: settings.tlsKey }),
  ...(settings.tlsCa !== undefined && { ca: settings.tlsCa }),
  ...flags,
  url: serviceUrl(settings),
});

async function examineStore(settings: Readonly<Settings>, service: ServiceFlags): Promise<Finding[]> {
  const isOwn = settings.databaseUrl === undefined;
  const server = await openServer(settings, (text) => process.stderr.write(`${text}\n`)).catch((error: unknown) => {
    if (isFault(error) && error.code === 'cli.no-store') return undefined;
    throw error;
  });
  if (server === undefined) {
    return [
      {
        check: 'database',
        level: 'ok',
        text: `${resolve(settings.dataDir)} has no data yet: the first start creates it. If the service uses another folder, name it with --data-dir.`,
      },
      ...(await tried('service', () => checkSameLog(service, undefined))),
    ];
  }
  const db = new Database({ connectionString: server.connectionString, max: 2, applicationName: 'nodeledger doctor' });
  try {
    return [
      ...(await tried('service', async () => checkSameLog(service, await expectedLogId(db, new Generations(db))))),
      ...(await tried('database', () => checkDatabase(db, isOwn))),
      ...(await tried('disk', () => checkDisk(settings, db))),
      ...(await tried('clock', () => checkClock(db))),
      ...(await tried('log', () => checkLog(settings, db))),
      ...(await tried('volatile facts', () => checkVolatileFacts(settings, db))),
      ...(await tried('dead letters', () => checkLetters(db))),
      ...(await tried('webhooks', () => checkSubscriptions(settings, db))),
    ];
  } finally {
    await db.close();
    await server.close();
  }
}

async function tried(check: string, make: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await make()].flat();
  } catch (error) {
    return [failure(check, error)];
  }
}
