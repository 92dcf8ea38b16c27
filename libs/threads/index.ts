export { serveTasks } from './serve-tasks';
export { type TaskOptions, TaskThread } from './task-thread';
