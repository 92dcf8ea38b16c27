import { Controller, Get, Redirect } from '@nestjs/common';

/** Where a browser that knows only the port is sent. */
const dashboard = '/pdb/dashboard/index.html';

@Controller()
export class RootController {
  @Get()
  @Redirect(dashboard, 302)
  root(): void {}

  @Get('pdb')
  @Redirect(dashboard, 302)
  pdb(): void {}
}
