export { type AlertCode, alertCodes } from './alert-codes';
export { type Alert, Alerts, type AlertSeverity, type AlertText } from './alerts';
export { errorFields, type ErrorFields } from './error-fields';
export { ObserveModule } from './http/observe.module';
export { ServiceState, type ServiceLook } from './http/service-state';
export { openLog, type Log, type LogOptions } from './log';
export { NestLogger } from './nest-logger';
export { Outage, type OutageCode, type OutageOptions } from './outage';
