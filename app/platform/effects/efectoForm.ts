import { z } from 'zod';
import { Id } from '~/core/fields';

export const UnEfecto = z.object({ efecto: Id });
