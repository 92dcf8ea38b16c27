import { Readable } from 'node:stream';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { auditedRequest, AuditLog } from '#access';
import { Fault } from '#fault';
import { clientGone, type FastifyReply, type FastifyRequest, whenWhole } from '#http';
import { Described } from '#openapi';
import { ArchiveExports } from './archive-exports';
import { Slots } from '../../slots';
import { readExportRequest } from './read-export-request';
import { exportDescription } from './describe-export';

/** Each export has its own thread, but all exports share the disk. */
const mostExports = 2;

@Controller('pdb/admin/v1')
export class ExportController {
  private readonly slots = new Slots(mostExports, busy);

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
    await this.slots.run(() =>
      this.audit.record(auditedRequest(request, 'export', profile), () =>
        sendArchive(reply, this.exports.open(profile, clientGone(reply))),
      ),
    );
  }
}

const busy = (most: number): Fault =>
  new Fault('busy', 'archive.exports', `${most} exports are running already`, {
    hint: 'Try again when one of them is done.',
  });

/**
 * An error before the first byte becomes a status. A later error closes the connection, and is also thrown for the
 * audit log.
 */
async function sendArchive(reply: FastifyReply, archive: AsyncIterable<Buffer>): Promise<void> {
  const pieces = archive[Symbol.asyncIterator]();
  const first = await pieces.next();
  let failure: { readonly error: unknown } | undefined;
  const body = async function* (): AsyncGenerator<Buffer> {
    try {
      for (let next = first; next.done !== true; next = await pieces.next()) yield next.value;
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
    await pieces.return?.();
  }
}
