import { Controller, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { auditedRequest, AuditLog } from '#access';
import { SubmitCommand } from '#commands';
import { Fault, excerpt } from '#fault';
import { jsonType, requestIdentity, type FastifyReply, type FastifyRequest } from '#http';
import { Described } from '#openapi';
import type { Limits } from '#limits';
import { StoredDocuments } from '#projections';
import { archivePart, readBoundary } from './archive-part';
import { Slots } from '../slots';
import { HeadReader } from './head-reader';
import { importArchive, type Imported, type ImportedCommand } from './import-archive';
import { timedChunks } from './timed-chunks';
import { importDescription } from './describe-import';

/** `nodeledger import` reads the counts of the import from this header. */
const importedHeader = 'x-nodeledger-imported';

export class ImportLimits {
  constructor(readonly values: Limits) {}
}

@Controller('pdb/admin/v1')
export class ImportController {
  private slots: Slots | undefined;

  constructor(
    private readonly commands: CommandBus,
    private readonly audit: AuditLog,
    private readonly stored: StoredDocuments,
    private readonly limits: ImportLimits,
    private readonly heads: HeadReader,
  ) {}

  @Post('archive')
  @Described(importDescription)
  async import(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    requireNoCoding(request.headers['content-encoding']);
    const boundary = readBoundary(request.headers['content-type']);
    this.slots ??= new Slots(this.limits.values.imports, busy);
    const { documents, known, passedOver } = await this.slots.run(() =>
      this.audit.record(auditedRequest(request, 'import', null), () => this.read(request, boundary)),
    );
    await reply
      .status(200)
      .header('content-type', jsonType)
      .header(importedHeader, `documents=${documents}, known=${known}, passed-over=${passedOver}`)
      .send(JSON.stringify({ ok: true }));
  }

  private read(request: FastifyRequest, boundary: string): Promise<Imported> {
    const identity = requestIdentity(request);
    const append = (command: ImportedCommand): Promise<unknown> =>
      this.commands.execute(new SubmitCommand({ ...command, waitMs: 0, headers: {} }, Date.now(), undefined, identity));
    return importArchive(archivePart(timedChunks(request.raw), boundary), this.limits.values, {
      append,
      missing: (documents) => this.stored.missing(documents),
      readHead: (payload, entry) => this.heads.read(payload, entry),
    });
  }
}

const busy = (most: number): Fault =>
  new Fault('busy', 'import.busy', `As many archives are being imported as may be at the same time (${most}).`, {
    hint: 'Repeat the import when another one has ended.',
    details: { retryAfterSeconds: 60 },
  });

function requireNoCoding(coding: string | undefined): void {
  if (coding === undefined || coding.trim().toLowerCase() === 'identity') return;
  throw new Fault('unacceptable', 'http.encoding', `content encoding ${excerpt(coding)} not supported`, {
    hint: 'The archive is compressed; the request is not to be compressed once more.',
    details: { status: 415 },
  });
}
