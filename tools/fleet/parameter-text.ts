import type { Json } from './json-writer';
import type { Random } from './random';
import { wordsIn } from './word-table';

const KEYS = wordsIn(`
  max_connections idle_timeout worker_processes log_level listen_address buffer_size retry_interval cache_directory
  access_log error_log keepalive_timeout queue_depth tls_min_version cipher_policy pid_file run_as upstream_hosts
  health_check compression session_lifetime rate_limit trusted_proxies spool_path lock_file metrics_port
  shutdown_grace batch_size replication_factor failover_mode archive_after`);

const WORDS = wordsIn(`
  primary fallback customer billing checkout inventory session ingest reporting internal public gateway catalogue
  search media audit payments shipping identity telemetry archive staging canary shadow regional partner legacy mobile
  support analytics`);

export function word(random: Random): string {
  return random.pick(WORDS);
}

export function settingText(random: Random): string {
  switch (random.between(0, 6)) {
    case 0:
      return String(random.between(1, 65_000));
    case 1:
      return random.pick(['yes', 'no', 'true', 'false', 'on', 'off', 'auto']);
    case 2:
      return `/var/lib/${word(random)}/${word(random)}-${random.between(1, 40)}`;
    case 3:
      return `${random.between(1, 90)}${random.pick(['s', 'm', 'h', 'MB', 'k'])}`;
    case 4:
      return `${word(random)}.service.internal:${random.between(1024, 65_000)}`;
    case 5:
      return `10.${random.between(16, 90)}.${random.between(0, 255)}.${random.between(1, 254)}/24`;
    default:
      return `${word(random)}_${word(random)}`;
  }
}

export function configurationText(random: Random, bytes: number): string {
  let text = '# This file is managed, local changes are overwritten.\n';
  while (text.length < bytes) {
    text += random.chance(0.12)
      ? `\n[${word(random)}.${word(random)}]\n`
      : `${random.pick(KEYS)} = ${settingText(random)}\n`;
  }
  return text;
}

export function commandText(random: Random, module: string): string {
  const options = Array.from(
    { length: random.between(1, 4) },
    () => `--${random.pick(KEYS).replaceAll('_', '-')}=${settingText(random)}`,
  );
  return `/usr/bin/${module.replaceAll('_', '-')}ctl ${random.pick(['reload', 'sync', 'apply', 'refresh', 'import'])} ${options.join(' ')}`;
}

export function parameterValue(random: Random): Json {
  switch (random.between(0, 11)) {
    case 0:
      return random.between(1, 100_000);
    case 1:
      return random.chance(0.5);
    case 2:
      return Array.from({ length: random.between(3, 8) }, () => settingText(random));
    case 3:
      return Object.fromEntries(
        Array.from({ length: random.between(2, 5) }, () => [random.pick(KEYS), settingText(random)]),
      );
    case 4:
    case 5:
      return (
        `${word(random)} ${word(random)} ${word(random)} of the ${word(random)} ${word(random)} platform: ` +
        `${settingText(random)} before ${settingText(random)}, see runbook ${random.between(100, 999)} of the ${word(random)} team`
      );
    case 6:
      return `/etc/${word(random)}/${word(random)}.d/${random.between(10, 99)}-${word(random)}-${word(random)}.conf`;
    default:
      return Array.from({ length: random.between(4, 9) }, () => settingText(random)).join(',');
  }
}

export function parameterName(random: Random): string {
  return random.pick(KEYS);
}
