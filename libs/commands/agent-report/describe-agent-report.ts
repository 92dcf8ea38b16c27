import { agentReportSchema, exampleAgentReport } from '#wire';
import { type ApiContext, type Description, inJson, inQuery, named } from '#openapi';
import { notCompleted, submissionSchema, submitted } from '../http/describe-commands';
import { waiting } from './report-submission';

export const describeAgentReport = ({ limits, examples }: ApiContext): Description => ({
  schemas: { ...submissionSchema, AgentReport: agentReportSchema() },
  operations: [
    {
      id: 'submitAgentReport',
      tag: 'commands',
      summary: 'Submits the report of an agent',
      description:
        'Use this path for reports of agents that run without a server. The report must have format 9. The service stores it as ' +
        'store report 8. docs/agent-reports.md describes the conversion.',
      parameters: [
        inQuery(waiting, 'The time to wait until the projector has applied the report, in seconds.', {
          type: 'number',
        }),
      ],
      body: inJson(
        `The report, at most ${limits.commandBytes} bytes uncompressed. The body can be compressed with gzip.`,
        named('AgentReport'),
      ),
      refusals: [400, 406, 413, 415],
      answers: { 200: submitted, 503: notCompleted },
      examples: {
        report: {
          summary: 'A report without changes',
          parameters: { [waiting]: 30 },
          body: exampleAgentReport(examples.certname, examples.time),
        },
      },
    },
  ],
});
