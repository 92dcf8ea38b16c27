import type { ObjectName } from './object-name';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** One attribute of an MBean. */
export interface Attribute {
  /** Java's name of the type, such as `long` or `java.lang.String`. */
  readonly type: string;
  readonly description: string;
  readonly read: () => JsonValue | Promise<JsonValue>;
}

/** A named group of attributes. */
export interface MBean {
  /** Name in lists. */
  readonly name: ObjectName;
  /** Another name that finds the MBean. */
  readonly alias?: ObjectName;
  readonly className: string;
  readonly description: string;
  readonly attributes: ReadonlyMap<string, Attribute>;
}

/** The MBeans of a process. */
export interface MBeanSource {
  /** In the order of lists. */
  all(): Iterable<MBean>;
  /** Finds an MBean by its name or alias, in the form of `ObjectName.toString`. */
  find(name: string): MBean | undefined;
}
