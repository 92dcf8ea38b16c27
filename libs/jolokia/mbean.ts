import type { ObjectName } from './object-name';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export interface Attribute {
  /** Java's name for the type, such as `long` or `java.lang.String`. */
  readonly type: string;
  readonly description: string;
  readonly read: () => JsonValue | Promise<JsonValue>;
}

export interface MBean {
  readonly name: ObjectName;
  readonly alias?: ObjectName;
  readonly className: string;
  readonly description: string;
  readonly attributes: ReadonlyMap<string, Attribute>;
}

export interface MBeanSource {
  /** Answers list the MBeans in this order. */
  all(): Iterable<MBean>;
  /** `name` is a name or alias in the form that `ObjectName.toString` returns. */
  find(name: string): MBean | undefined;
}
