export { AdminModule, type AdminOptions } from './admin.module';
export { AgeLimits } from './age-limits';
export { Clean, cleanEverything, type CleanRequest } from './clean/clean';
export { CleaningObserver, type CleaningStep, cleaningSteps } from './clean/cleaning-observer';
export { CleanHandler } from './clean/clean.handler';
export { ClockGuard } from './clocks/clock-guard';
export type { Letter } from './dead-letters/http/letter-json';
export { type LogStatus, readLogStatus } from './log-status';
