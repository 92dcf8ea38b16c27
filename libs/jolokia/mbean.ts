import type { ObjectName } from './object-name';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export interface Attribute {
  /** Type of the attribute, as Java names it, such as `long` or `java.lang.String`. */
  readonly type: string;
  readonly description: string;
  readonly read: () => JsonValue | Promise<JsonValue>;
}

export interface MBean {
  readonly name: ObjectName;
  /** A second name with which clients can request the MBean. */
  readonly alias?: ObjectName;
  readonly className: string;
  readonly description: string;
  readonly attributes: ReadonlyMap<string, Attribute>;
}

export interface MBeanSource {
  /** Returns all MBeans in the order in which answers list them. */
  all(): Iterable<MBean>;
  /** Returns the MBean with this name or alias. `name` has the form that `ObjectName.toString` returns. */
  find(name: string): MBean | undefined;
}
