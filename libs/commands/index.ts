export { CommandsModule, type CommandsOptions } from './commands.module';
export { Completions, type Completion } from './completions';
export { IntakeLimits } from './intake-limits';
export { type CommandRecord, CommandObserver } from './command-observer';
export type { Submission } from './submission';
export { SubmitCommand, type Submitted } from './submit/submit-command';
