export { Jolokia, type JolokiaOptions } from './jolokia';
export type { Attribute, JsonValue, MBean, MBeanSource } from './mbean';
export { ObjectName } from './object-name';
