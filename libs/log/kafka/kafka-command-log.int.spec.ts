import { describeWithKafka, kafkaBrokers } from '../../../test/support/kafka';
import { commandLogContract } from '../testing/command-log-contract';
import { OpenLogs } from '../../../test/support/kafka-logs';

describeWithKafka('KafkaCommandLog', () => {
  const logs = new OpenLogs(kafkaBrokers);
  afterEach(() => logs.closeAll());

  for (const { title, check } of commandLogContract) {
    it(title, async () => {
      const topic = logs.topic();
      await check((partitions) => Promise.resolve({ open: () => logs.open(topic, { partitions }) }));
    });
  }
});
