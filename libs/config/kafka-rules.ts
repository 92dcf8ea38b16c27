import type { Settings } from './setting-table';

export function kafkaProblems(settings: Readonly<Settings>, isGiven: (key: string) => boolean): string[] {
  const given = (names: readonly string[]): string[] =>
    names.map((name) => `NODELEDGER_${name}`).filter((key) => isGiven(key));
  const problems: string[] = [];
  if (!isGiven('KAFKA_BROKERS')) {
    // If no brokers are given, the service starts with an embedded log. If other settings for Kafka are given
    // nevertheless, this is an error, because the user expects Kafka.
    const [alone] = given([...saslKeys, ...tlsKeys, 'KAFKA_TLS', 'KAFKA_REPLICATION', 'LOG_TOPIC']);
    if (alone !== undefined) problems.push(`${alone} is set, but KAFKA_BROKERS is not: set it, or unset ${alone}`);
    return problems;
  }
  const { kafkaTls, kafkaTlsCert, kafkaTlsKey, kafkaSaslMechanism, kafkaSaslUsername, kafkaSaslPassword } = settings;
  const [file] = given(tlsKeys);
  if (file !== undefined && !kafkaTls) {
    problems.push(`${file} is set, but NODELEDGER_KAFKA_TLS is not true: set it, or unset ${file}`);
  }
  if ((kafkaTlsCert === undefined) !== (kafkaTlsKey === undefined)) {
    problems.push('NODELEDGER_KAFKA_TLS_CERT and NODELEDGER_KAFKA_TLS_KEY belong together: set both or none');
  }
  const [login] = given(['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD']);
  if (kafkaSaslMechanism === undefined && login !== undefined && !isGiven('NODELEDGER_KAFKA_SASL_MECHANISM')) {
    problems.push(`${login} is set, but NODELEDGER_KAFKA_SASL_MECHANISM is not: set it (plain, scram-sha-256 …)`);
  }
  if (kafkaSaslMechanism !== undefined && (kafkaSaslUsername === undefined || kafkaSaslPassword === undefined)) {
    problems.push(
      'NODELEDGER_KAFKA_SASL_MECHANISM needs NODELEDGER_KAFKA_SASL_USERNAME and NODELEDGER_KAFKA_SASL_PASSWORD',
    );
  }
  return problems;
}

const tlsKeys = ['KAFKA_TLS_CA', 'KAFKA_TLS_CERT', 'KAFKA_TLS_KEY'];
const saslKeys = ['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'];
