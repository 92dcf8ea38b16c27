/** How the setting is written, completing "expected …". */
export const brokersForm = 'brokers as host:port, separated by commas, such as kafka1:9092,kafka2:9092';

const broker = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?):(\d{1,5})$/;

/** `host:port` each; undefined where one is something else, or there is none. */
export function readBrokers(text: string): string[] | undefined {
  const brokers = text.split(',').map((part) => part.trim());
  const good = brokers.every((one) => {
    const port = Number(broker.exec(one)?.[1] ?? 0);
    return port > 0 && port <= 65_535;
  });
  return good ? brokers : undefined;
}
