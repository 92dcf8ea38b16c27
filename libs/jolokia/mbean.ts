import type { ObjectName } from './object-name';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** One value of an MBean. */
export interface Attribute {
  /** Java's name of its type, such as `long` or `java.lang.String`. */
  readonly type: string;
  readonly description: string;
  readonly read: () => JsonValue | Promise<JsonValue>;
}

/** A named group of values, as management tools of Java know it. */
export interface MBean {
  /** As it is listed. */
  readonly name: ObjectName;
  /** Also found under this name. */
  readonly alias?: ObjectName;
  readonly className: string;
  readonly description: string;
  readonly attributes: ReadonlyMap<string, Attribute>;
}

/** The port: what there is to ask. */
export interface MBeanSource {
  /** In the order in which they are listed. */
  all(): Iterable<MBean>;
  /** Finds an MBean by its name or its alias, as `ObjectName.toString` writes them. */
  find(name: string): MBean | undefined;
}
