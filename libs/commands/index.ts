export { CommandsModule, type CommandsOptions } from './commands.module';
export type { ChecksumOptions, ChecksumPolicy } from './checksum-check';
export { Completions, type Completion } from './completions';
export { IntakeLimits } from './intake-limits';
export type { Submission } from './submission';
export type { IntakeWatch } from './submit/intake-watch';
export { SubmitCommand, type Submitted } from './submit/submit-command';
