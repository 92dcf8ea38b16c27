import { agentReportSchema, exampleAgentReport } from '#wire';
import { type ApiContext, type Description, named } from '#openapi';
import { notCompleted, submissionSchema, submitted } from '../http/describe-commands';
import { waiting } from './report-submission';

export const describeAgentReport = ({ limits, examples }: ApiContext): Description => ({
  schemas: { ...submissionSchema, AgentReport: agentReportSchema() },
  operations: [
    {
      id: 'submitAgentReport',
      tag: 'commands',
      summary: 'Submits a report as an agent writes it',
      description:
        'For reports in format 9 that come from agents without a server. The report is stored as store report 8. ' +
        'docs/agent-reports.md says how its members become those of the report.',
      parameters: [
        {
          name: waiting,
          in: 'query',
          description: 'How long to wait until the report has been applied.',
          schema: { type: 'number' },
        },
      ],
      body: {
        description: `The report, at most ${limits.commandBytes} bytes uncompressed. It may be compressed with gzip.`,
        content: { 'application/json': named('AgentReport') },
      },
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
