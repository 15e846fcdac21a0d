import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstToken, workspaceOf } from '../../sandbox/domain/workspaces';
