import { readBrokers } from './brokers';

test.each([
  ['k1:9092', ['k1:9092']],
  ['k1:9092, 10.0.0.7:19092 ,[::1]:9092', ['k1:9092', '10.0.0.7:19092', '[::1]:9092']],
  ['kafka-1.example.com:65535', ['kafka-1.example.com:65535']],
])('%s', (text, brokers) => expect(readBrokers(text)).toEqual(brokers));

test.each([
  '',
  ',',
  'k1',
  'k1:',
  'k1:0',
  'k1:65536',
  'k1:9092,',
  'k1:9092;k2:9092',
  'kafka://k1:9092',
  'a b:9092',
  '::1:9092',
])('%j is refused', (text) => expect(readBrokers(text)).toBeUndefined());
