import { readFileSync } from 'node:fs';

/** Fields of /proc/PID/status (see proc_pid_status(5)): resident memory now, its peak, its private part, its shared part. */
export type MemoryField = 'VmRSS' | 'VmHWM' | 'RssAnon' | 'RssShmem';

/** Megabytes (1,048,576 bytes) in the text of `/proc/PID/status`. NaN if the process has no such field. */
export const megabytesIn = (status: string, field: MemoryField): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;

/** Reads the megabytes of a memory field of a running process. Linux only. */
export const processMegabytes = (pid: number, field: MemoryField): number =>
  megabytesIn(readFileSync(`/proc/${pid}/status`, 'utf8'), field);
