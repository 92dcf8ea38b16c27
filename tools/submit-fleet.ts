import { Command, InvalidArgumentError } from 'commander';
import { Fleet } from '#fleet';
import { countFrom } from '../apps/cli/arguments';
import { writeDocument } from './submit-fleet/document-files';
import { documentsOf, driveFleet } from './submit-fleet/drive';
import type { FleetPlan } from './submit-fleet/drive';
import { say } from './submit-fleet/say';
import { ServerLink } from './submit-fleet/server-link';
import { messageOf, submitPlan } from './submit-fleet/submit-plan';
import { untilVisible } from './submit-fleet/visibility';
import { type ServiceFlags, withService } from '../apps/cli/http-client';
import { ProgressDisplay } from '../apps/cli/maintenance/progress-display';

interface FleetFlags extends ServiceFlags {
  readonly nodes: number;
  readonly firstNode: number;
  readonly runs: number;
  readonly firstRun: number;
  readonly concurrency: number;
  readonly gzip?: true;
  readonly compact?: true;
  readonly seed: string;
  readonly start?: Date;
  readonly wait?: true;
  readonly stall: number;
  readonly out?: string;
}

export function fleetCommand(): Command {
  return withService(new Command('fleet'))
    .description('submit the facts, catalogs and reports of a simulated fleet, or write them to files')
    .option('--nodes <count>', 'number of machines', countFrom(1), 100)
    .option('--first-node <number>', 'number of the first machine', countFrom(0), 0)
    .option('--runs <count>', 'number of agent runs of each machine', countFrom(1), 3)
    .option('--first-run <number>', 'number of the first run; run 0 sets a machine up', countFrom(0), 0)
    .option('--concurrency <count>', 'how many machines submit at the same time', countFrom(1), 8)
    .option('--gzip', 'compress what is sent or written')
    .option('--compact', 'JSON without spaces, about a fifth smaller')
    .option('--seed <text>', 'selects the fleet: equal seeds give equal documents', 'nodeledger')
    .option(
      '--start <time>',
      'when run 0 begins, ISO 8601; runs follow every half hour (default: yesterday, 00:00 UTC)',
      time,
    )
    .option('--wait', 'continue until queries show everything that was accepted')
    .option(
      '--stall <seconds>',
      'with --wait: give up when nothing has become visible for this time',
      positiveNumber,
      120,
    )
    .option('--out <directory>', 'write the documents into this folder instead of submitting them')
    .action(async (flags: FleetFlags) => {
      const { nodes, firstNode, runs, firstRun, concurrency, seed, start } = flags;
      const plan = { nodes, firstNode, runs, firstRun, concurrency, startTime: start ?? yesterday() };
      const fleet = new Fleet(seed, flags.compact ? 'compact' : 'pretty');
      await (flags.out === undefined ? submitFleet(fleet, plan, flags) : writeFleet(fleet, plan, flags, flags.out));
    });
}

async function submitFleet(fleet: Fleet, plan: FleetPlan, flags: FleetFlags): Promise<void> {
  const link = new ServerLink(flags, { connections: flags.concurrency });
  const commands = documentsOf(fleet, plan);
  const progress = new ProgressDisplay();
  let done = 0;
  const began = performance.now();
  try {
    const { accepted, failures } = await submitPlan(link, fleet, plan, {
      gzip: flags.gzip === true,
      onStep: () => progress.show({ step: 'submit', done: ++done, total: commands, unit: 'documents' }),
      onFailure: (document, error, earlier) => {
        if (earlier === 0)
          progress.say(`first failure: ${document.command} of ${document.certname}: ${messageOf(error)}`);
      },
    });
    progress.end();
    say(`${commands - failures} commands accepted, ${failures} failed, ${rated(commands, began)}`);
    if (failures > 0) process.exitCode = 1;
    if (flags.wait) {
      await untilVisible(link, flags.seed, plan, accepted, { stallSeconds: flags.stall });
      say(`visible in queries: ${rated(commands - failures, began)}`);
    }
  } catch (error) {
    say(`fleet: ${messageOf(error)}`);
    process.exitCode = 1;
  } finally {
    progress.end();
    link.close();
  }
}

async function writeFleet(fleet: Fleet, plan: FleetPlan, flags: FleetFlags, directory: string): Promise<void> {
  const documents = documentsOf(fleet, plan);
  const progress = new ProgressDisplay();
  let done = 0;
  const began = performance.now();
  try {
    await driveFleet(fleet, plan, async (document, run) => {
      await writeDocument(directory, document, run, { gzip: flags.gzip === true });
      progress.show({ step: 'write', done: ++done, total: documents, unit: 'documents' });
    });
  } finally {
    progress.end();
  }
  say(`${documents} documents written to ${directory}, ${rated(documents, began, 'documents')}`);
}

function rated(count: number, began: number, unit: 'commands' | 'documents' = 'commands'): string {
  const seconds = (performance.now() - began) / 1000;
  return `${seconds.toFixed(2)} s, ${(count / seconds).toFixed(1)} ${unit}/s`;
}

/**
 * Midnight, so that documents do not depend on the time of day. If the fleet is submitted again on a later day, its
 * documents have later times.
 */
function yesterday(): Date {
  const day = 86_400_000;
  return new Date(Math.floor(Date.now() / day) * day - day);
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('a number above 0 is needed');
  return value;
}

function time(text: string): Date {
  const value = new Date(text);
  if (Number.isNaN(value.getTime()))
    throw new InvalidArgumentError('an ISO 8601 time is needed, as 2024-05-01T00:00:00Z');
  return value;
}
