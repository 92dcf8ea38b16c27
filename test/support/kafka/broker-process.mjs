/** Starts the broker as a process, waits until it answers, and ends it. */
import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';

const startMs = 90_000;
const stopMs = 20_000;

/**
 * Starts Java. With `quick`, the start is faster, and the broker is slower under load. The caller waits with `answers`.
 */
export async function launch({ java, lib, place, heapMegabytes, quick, detached }) {
  const output = await open(place.output, 'a');
  const args = ['-Xms64m', `-Xmx${heapMegabytes}m`, '-Djava.awt.headless=true'];
  if (quick) args.push('-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1');
  args.push(
    `-Dlog4j2.configurationFile=${join(import.meta.dirname, 'log4j2.properties')}`,
    `-Dbroker.log=${place.log}`,
    // Java writes one file into this folder; by default it writes into the current directory.
    `-XX:ErrorFile=${join(place.root, 'java-error-%p.log')}`,
  );
  args.push('-cp', join(lib, '*'), 'kafka.Kafka', place.properties);
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(java, args, { cwd: place.root, detached, stdio: ['ignore', output.fd, output.fd] });
      child.once('error', reject);
      child.once('spawn', () => resolve(child));
    });
  } finally {
    await output.close();
  }
}

/**
 * Resolves when the broker accepts requests of clients. Rejects with the end of its log if it ends before that or never
 * does.
 */
export async function answers(child, broker, nodeId, place) {
  let ended;
  child.once('exit', (code, signal) => (ended = signal ?? `exit ${code}`));
  // The port accepts connections before the broker answers on them, so retry soon instead of waiting on an early
  // connection.
  const kafka = new Kafka({
    brokers: [broker],
    logLevel: logLevel.NOTHING,
    connectionTimeout: 500,
    authenticationTimeout: 500,
    requestTimeout: 500,
  });
  for (const deadline = Date.now() + startMs; ; await delay(100)) {
    if (ended !== undefined) throw new Error(`the broker ended at its start (${ended}):\n${await lastWords(place)}`);
    if (await lists(kafka, nodeId)) return;
    if (Date.now() > deadline)
      throw new Error(`the broker does not answer after ${startMs / 1000} s:\n${await lastWords(place)}`);
  }
}

/** A broker is in its own list after the controller has admitted it. */
async function lists(kafka, own) {
  const admin = kafka.admin({ retry: { retries: 0 } });
  try {
    await admin.connect();
    return (await admin.describeCluster()).brokers.some(({ nodeId }) => nodeId === own);
  } catch {
    return false;
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

async function lastWords(place) {
  const texts = await Promise.all([place.log, place.output].map((file) => readFile(file, 'utf8').catch(() => '')));
  const text = texts.join('').trimEnd().split('\n').slice(-15).join('\n');
  return `${text}\n(more in ${place.log} and ${place.output})`;
}

/** Sends SIGTERM, and SIGKILL after a long time. `alive` returns whether the process is still the same one. */
export async function endProcess(pid, alive) {
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    if (!(await alive())) return;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (error.code === 'ESRCH') return;
      throw error;
    }
    for (const deadline = Date.now() + stopMs; Date.now() < deadline; await delay(50)) if (!(await alive())) return;
  }
  throw new Error(`the broker (process ${pid}) does not end`);
}
