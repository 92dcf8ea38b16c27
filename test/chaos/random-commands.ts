/** Returns random commands of a fleet, made from the steps of the model. */
import { submission, type CommandStep, type Document, type StatusStep, type Submission } from '../model/steps';
import type { Seeded } from './seeded';

const begin = Date.UTC(2026, 0, 1);

/** Time in whole seconds, as in the steps. */
export const stepTime = (epochMs: number): number => Math.floor((epochMs - begin) / 1000);

export interface RandomCommandsOptions {
  readonly random: Seeded;
  /** Time of the first command, epoch milliseconds. Each command is one second after the one before. */
  readonly from: number;
  /** Age of an outdated command relative to the current time, seconds. */
  readonly staleBy?: number;
}

/** Returns commands whose reports all differ in their configuration version. */
export class RandomCommands {
  private made = 0;

  constructor(private readonly options: RandomCommandsOptions) {}

  next(certname: string, kind?: CommandStep['do']): Submission {
    return submission(this.step(certname, kind), certname);
  }

  private step(node: string, kind: CommandStep['do'] | undefined): CommandStep {
    const { random, from, staleBy = 300 } = this.options;
    const number = ++this.made;
    const late = random.chance(0.15) ? random.whole(1, staleBy) : 0;
    const at = stepTime(from) + number - late;
    const environment = random.pick(['production', 'test', null]);
    const zone = random.pick(['utc', 'utc', 'offset', 'epoch'] as const);
    const draw = random.whole(0, 99);
    switch (
      kind ??
      (draw < 33 ? 'facts' : draw < 63 ? 'catalog' : draw < 93 ? 'report' : draw < 96 ? 'deactivate' : 'inputs')
    ) {
      case 'facts':
        return { do: 'facts', node, at, zone, environment, values: this.values(number), packages: this.packages() };
      case 'catalog':
        return {
          ...{ do: 'catalog', node, at, zone, environment, version: random.pick(['1', '2']) },
          files: random
            .shuffled(['/a', '/b', '/c', '/d'])
            .slice(0, random.whole(1, 4))
            .map((title) => ({
              ...{ title, line: random.pick([1, 2, null]), ensure: random.pick(['file', 'absent']) },
            })),
          edges: random.shuffled(['ab', 'bc', 'ca', 'ad']).slice(0, random.whole(0, 4)),
        };
      case 'report':
        return {
          ...{ do: 'report', node, at, version: `run-${number}`, environment: environment ?? 'production' },
          ...{ status: random.pick(['changed', 'unchanged', 'failed']), statuses: this.statuses() },
          ...(random.chance(0.1) && { type: 'plan' as const }),
        };
      case 'deactivate':
        return { do: 'deactivate', node, at, zone };
      case 'inputs':
        return { do: 'inputs', node, at, inputs: [['hiera', random.pick(['one', 'two'])]] };
      default:
        throw new Error(`no random ${kind}`);
    }
  }

  /** Documents are often unchanged, as in a real fleet. */
  private values(number: number): Document {
    const { random } = this.options;
    return {
      os: random.pick<Document[string]>(['debian', { name: 'debian', release: { major: 12 } }]),
      mem: random.pick([1, 2, 1.5]),
      disks: random.pick<Document[string]>([[], ['sda'], ['sda', { size: 7 }]]),
      ...(random.chance(0.4) && { uptime: number }),
    };
  }

  private packages(): string[][] {
    const { random } = this.options;
    const known = [
      ['vim', '9', 'apt'],
      ['vim', '9.1', 'apt'],
      ['ssl', '3', 'apt'],
      ['vim', '9', 'gem'],
    ];
    return random.shuffled(known).slice(0, random.whole(0, 3));
  }

  private statuses(): StatusStep[] {
    const { random } = this.options;
    const properties = ['mode', 'ensure', 'owner'];
    return ['/a', '/b'].slice(0, random.whole(0, 2)).map((title) => ({
      title,
      skipped: random.chance(0.2),
      path: random.pick([['Stage[main]', 'Ntp', `File[${title}]`], ['Stage[main]'], ['Ntp', 'Web'], null]),
      events: random
        .shuffled(properties)
        .slice(0, random.whole(0, 3))
        .map((property) => ({
          ...{
            property,
            status: random.pick(['success', 'failure', 'noop']),
            corrective: random.pick([true, false, null]),
          },
        })),
    }));
  }
}
