import type { FarSide } from '~/platform/connections/definition';
import { ct } from './internal/ct.server';
import { cva } from './internal/cva.server';
import { syscom } from './internal/syscom.server';
import { ts } from './internal/ts.server';
import { tvc } from './internal/tvc.server';

/** The suppliers that are read by an API, in the order of 'Activación de API'. A new supplier is its file in `internal/` and its place here. */
export const PROVEEDORES: readonly FarSide[] = [syscom, ct, tvc, ts, cva];
