import { isPort } from 'class-validator';

export const brokersForm = 'brokers as host:port, separated by commas, such as kafka1:9092,kafka2:9092';

const broker = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?):(\d{1,5})$/;

export function readBrokers(text: string): string[] | undefined {
  const brokers = text.split(',').map((part) => part.trim());
  return brokers.every((one) => isPort(broker.exec(one)?.[1]) && !one.endsWith(':0')) ? brokers : undefined;
}
