import { Readable } from 'node:stream';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { auditedRequest, AuditLog } from '#access';
import { Fault } from '#fault';
import { clientGone, type FastifyReply, type FastifyRequest, whenWhole } from '#http';
import { Described } from '#openapi';
import { ArchiveExports } from './archive-exports';
import { readExportRequest } from './read-export-request';
import { whileRead } from './while-read';
import { exportDescription } from './describe-export';

/** Number of exports that may run at the same time. Each has a thread, and all of them read the same disk. */
const mostExports = 2;

/**
 * `GET /pdb/admin/v1/archive` streams an archive. If an export fails after its first byte, the connection is broken off.
 */
@Controller('pdb/admin/v1')
export class ExportController {
  private running = 0;

  constructor(
    private readonly exports: ArchiveExports,
    private readonly audit: AuditLog,
  ) {}

  @Get('archive')
  @Described(exportDescription)
  async export(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const profile = readExportRequest(request.url);
    const file = `${this.exports.product}-export-${new Date().toISOString()}.tgz`;
    void reply
      .header('content-type', 'application/octet-stream')
      .header('content-disposition', `attachment; filename=${file}`);
    if (request.method === 'HEAD') {
      await reply.send();
      return;
    }
    if (this.running >= mostExports) {
      throw new Fault('busy', 'archive.exports', `${mostExports} exports are running already`, {
        hint: 'Try again when one of them is done.',
      });
    }
    this.running += 1;
    try {
      await this.audit.record(auditedRequest(request, 'export', profile), () =>
        sendArchive(reply, this.exports.open(profile, clientGone(reply))),
      );
    } finally {
      this.running -= 1;
    }
  }
}

/** Throws an error before the first byte, so that the client gets a status, and also an error after it. */
async function sendArchive(reply: FastifyReply, archive: AsyncIterable<Buffer>): Promise<void> {
  const pieces = whileRead(archive, () => reply.raw.destroy());
  const first = await pieces.next();
  let failure: { readonly error: unknown } | undefined;
  const body = async function* (): AsyncGenerator<Buffer> {
    try {
      if (first.done !== true) yield first.value;
      yield* pieces;
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  const sent = whenWhole(reply.raw);
  void reply.send(Readable.from(body(), { objectMode: false, highWaterMark: 1 }));
  try {
    await sent;
  } catch (error) {
    throw failure === undefined ? error : failure.error;
  } finally {
    await pieces.return();
  }
}
