import { Fault, isMap } from '#fault';
import type { MBean } from './mbean';
import { MalformedName, ObjectName } from './object-name';

/** The commands that a policy can allow. No other command is ever executed. */
export const readCommands = ['read', 'list', 'search', 'version'] as const;
type ReadCommand = (typeof readCommands)[number];

interface Rule {
  readonly mbean: ObjectName;
  /** Undefined: all. */
  readonly attributes: ReadonlySet<string> | undefined;
}

/** Says which commands, MBeans and attributes may be read. Without rules, everything may be read. */
export class AccessPolicy {
  constructor(
    private readonly commands: ReadonlySet<ReadCommand> = new Set(readCommands),
    /** Undefined: all. */
    private readonly allow?: readonly Rule[],
    private readonly deny: readonly Rule[] = [],
  ) {}

  /**
   * Takes a parsed document: a map with `commands` (a list of names), and `allow` and `deny`, lists of maps with `mbean` (a
   * name or a pattern) and, where only some are meant, `attributes`. Faults: `metrics.policy` (malformed).
   */
  static read(document: unknown): AccessPolicy {
    if (!isMap(document)) throw invalid('it must be a map');
    const unknown = Object.keys(document).find((key) => !['commands', 'allow', 'deny'].includes(key));
    if (unknown !== undefined) throw invalid(`${unknown} is not one of commands, allow, deny`);
    const { commands, allow, deny } = document;
    return new AccessPolicy(
      commands === undefined ? undefined : new Set(texts(commands, 'commands').map(readCommand)),
      allow === undefined ? undefined : rules(allow, 'allow'),
      deny === undefined ? undefined : rules(deny, 'deny'),
    );
  }

  allowsCommand(command: ReadCommand): boolean {
    return this.commands.has(command);
  }

  /** Whether the MBean shows at all. */
  allowsBean(bean: Named): boolean {
    const isAllowed = this.allow?.some((rule) => names(rule, bean)) ?? true;
    return isAllowed && !this.deny.some((rule) => rule.attributes === undefined && names(rule, bean));
  }

  allowsAttribute(bean: Named, attribute: string): boolean {
    const isMeant = (rule: Rule): boolean => (rule.attributes?.has(attribute) ?? true) && names(rule, bean);
    return (this.allow?.some(isMeant) ?? true) && !this.deny.some(isMeant);
  }
}

type Named = Pick<MBean, 'name' | 'alias'>;

/** A rule can name an MBean by its name or its alias. */
const names = ({ mbean }: Rule, { name, alias }: Named): boolean =>
  mbean.matches(name) || (alias !== undefined && mbean.matches(alias));

function readCommand(text: string): ReadCommand {
  const found = readCommands.find((command) => command === text);
  if (found === undefined) throw invalid(`commands: ${text} is not one of ${readCommands.join(', ')}`);
  return found;
}

function texts(value: unknown, what: string): string[] {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw invalid(`${what} must be a list of texts`);
}

function rules(value: unknown, what: string): Rule[] {
  if (!Array.isArray(value)) throw invalid(`${what} must be a list`);
  return value.map((rule: unknown) => {
    if (!isMap(rule) || typeof rule['mbean'] !== 'string') throw invalid(`each part of ${what} must have an mbean`);
    const { mbean, attributes } = rule;
    return {
      mbean: pattern(mbean),
      attributes: attributes === undefined ? undefined : new Set(texts(attributes, `attributes of ${String(mbean)}`)),
    };
  });
}

function pattern(text: string): ObjectName {
  try {
    return ObjectName.parse(text);
  } catch (error) {
    if (error instanceof MalformedName) throw invalid(`${text}: ${error.message}`);
    throw error;
  }
}

const invalid = (text: string): Fault =>
  new Fault('malformed', 'metrics.policy', `The access policy of the metrics is not valid: ${text}.`, {
    hint: 'docs/metrics.md describes its form.',
  });
