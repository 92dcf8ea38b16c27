#!/usr/bin/env node
/**
 * A Kafka broker on loopback: a cluster of its own, or one of several nodes.
 *   start  in the background: prints where it listens and how to stop it
 *   stop   ends the one that start began on the same folder
 *   run    in the foreground, until its standard input closes or it is signalled: prints {pid} as JSON when it answers
 *   fetch  gets the jars only
 *   check  prints what is missing, if anything
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { answers, endProcess, launch } from './broker-process.mjs';
import { jars } from './jars.mjs';
import { removePidFile, runningBroker, writePidFile } from './pid-file.mjs';
import { preparePlace } from './place.mjs';
import { demandFree } from './ports.mjs';
import { javaCommand, whatIsMissing } from './requirements.mjs';

const usage = `node test/support/kafka/broker.mjs start|stop|run|fetch|check
  --data <folder>           default data/kafka
  --port <n>                where clients connect, default 9092
  --controller-port <n>     default: the next port
  --proxy-port <n>          advertised to clients of a second listener ...
  --behind-port <n>         ... which is this one
  --quick                   starts quicker, and is slower under load
  --session-timeout <ms>    default 9000; how long a killed broker's place is kept
  --heap <n>                megabytes of memory for Java at most, default 512
A broker that is one of several (all of them are controllers as well, so start them at the same time):
  --node-id <n>             its number, default 1
  --voters <list>           number@host:port of the controller of each, separated by commas
  --cluster-id <id>         22 characters of base64url, the same for all
  --replicas <n>            copies of each partition of Kafka's own topics and of others by default, default 1`;

const say = (line) => process.stderr.write(`${line}\n`);

function readArguments() {
  const text = { type: 'string' };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      data: text,
      port: text,
      'controller-port': text,
      'proxy-port': text,
      'behind-port': text,
      'session-timeout': text,
      heap: text,
      'node-id': text,
      voters: text,
      'cluster-id': text,
      replicas: text,
      quick: { type: 'boolean' },
    },
  });
  const number = (name, fallback, most = 65535) => {
    if (values[name] === undefined) return fallback;
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 1 || value > most)
      throw new Error(`--${name} is ${values[name]}; it takes a whole number from 1 to ${most}`);
    return value;
  };
  if (positionals.length !== 1) throw new Error(usage);
  const port = number('port', 9092);
  const proxyPort = number('proxy-port');
  const behindPort = number('behind-port');
  if ((proxyPort === undefined) !== (behindPort === undefined))
    throw new Error('--proxy-port and --behind-port belong together: give both or none');
  const controllerPort = number('controller-port', port + 1);
  const nodeId = number('node-id', 1);
  return {
    verb: positionals[0],
    dataDir: resolve(values.data ?? join(import.meta.dirname, '../../../data/kafka')),
    ports: { port, controllerPort, proxyPort, behindPort },
    cluster: {
      nodeId,
      voters: values.voters ?? `${nodeId}@127.0.0.1:${controllerPort}`,
      id: values['cluster-id'],
      replicas: number('replicas', 1),
    },
    sessionMs: number('session-timeout', 9_000, 600_000),
    heapMegabytes: number('heap', 512),
    quick: values.quick === true,
  };
}

async function begin({ dataDir, ports, cluster, sessionMs, heapMegabytes, quick }, detached) {
  const missing = whatIsMissing();
  if (missing !== undefined) throw new Error(`the broker cannot be started: ${missing}`);
  const running = await runningBroker(dataDir);
  if (running !== undefined)
    throw new Error(`process ${running.pid} already serves ${dataDir} on ${running.broker}; stop it first`);
  await demandFree([ports.port, ports.controllerPort, ports.behindPort].filter((port) => port !== undefined));
  const java = javaCommand();
  const lib = await jars(say);
  const place = await preparePlace({ java, lib, dataDir, ports, cluster, sessionMs });
  const broker = `127.0.0.1:${ports.port}`;
  const child = await launch({ java, lib, place, heapMegabytes, quick, detached });
  const gone = new Promise((done) => child.once('exit', done));
  let ended = false;
  void gone.then(() => (ended = true));
  const end = () => endProcess(child.pid, async () => !ended);
  return { child, place, broker, end, gone };
}

async function start(given) {
  const { child, place, broker, end } = await begin(given, true);
  try {
    await writePidFile(place.root, child.pid, broker);
    await answers(child, broker, given.cluster.nodeId, place);
  } catch (error) {
    await end();
    await removePidFile(place.root);
    throw error;
  }
  child.unref();
  console.log(`KAFKA_BROKERS=${broker}`);
  say(`The broker is process ${child.pid}; its log is ${place.log}.`);
  say(`It is stopped by: npm run kafka:stop${given.own ? ` -- --data ${place.root}` : ''}`);
}

async function stop({ dataDir }) {
  const running = await runningBroker(dataDir);
  if (running === undefined) {
    await removePidFile(dataDir);
    say(existsSync(dataDir) ? `No broker runs on ${dataDir}.` : `There is no ${dataDir}; name the folder by --data.`);
    return;
  }
  await endProcess(running.pid, running.alive);
  await removePidFile(dataDir);
  say(`The broker on ${running.broker} (process ${running.pid}) has ended; its data stays in ${dataDir}.`);
}

async function run(given) {
  const { child, place, broker, end, gone } = await begin(given, false);
  let asked = false;
  const finish = () => {
    asked = true;
    void end();
  };
  // The parent holds the other end of the pipe. When the parent ends, for any reason, the broker ends too.
  process.stdin.resume().once('end', finish).once('error', finish);
  process.once('SIGTERM', finish).once('SIGINT', finish);
  try {
    await writePidFile(place.root, child.pid, broker);
    await answers(child, broker, given.cluster.nodeId, place);
    console.log(JSON.stringify({ pid: child.pid }));
    await gone;
  } catch (error) {
    if (!asked) throw error;
    await gone;
  } finally {
    await end();
    await removePidFile(place.root);
    process.stdin.destroy();
  }
}

async function main() {
  const given = readArguments();
  given.own = process.argv.includes('--data');
  if (given.verb === 'start') return start(given);
  if (given.verb === 'stop') return stop(given);
  if (given.verb === 'run') return run(given);
  const missing = whatIsMissing();
  if (given.verb === 'check') return console.log(missing ?? '');
  if (given.verb !== 'fetch') throw new Error(usage);
  if (missing !== undefined) throw new Error(missing);
  await jars(say);
}

main().catch((error) => {
  say(error.message);
  process.exitCode = 1;
});
