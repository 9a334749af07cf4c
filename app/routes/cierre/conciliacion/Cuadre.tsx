import { Estatus } from '~/ui/Estatus';

/** The status of a deposit or a settled sale, in its row and in its panel. */
export const Cuadre = ({ difiere }: { difiere: boolean }) => (
  <Estatus tono={difiere ? 'mal' : 'ok'}>{difiere ? 'Con diferencia' : 'Cuadra'}</Estatus>
);
