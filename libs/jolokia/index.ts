export { AccessPolicy, type ReadCommand, readCommands } from './access-policy';
export { Jolokia, type JolokiaAnswer, type JolokiaOptions } from './jolokia';
export type { Attribute, JsonValue, MBean, MBeanSource } from './mbean';
export { MalformedName, ObjectName } from './object-name';
