/** What is asked before a company changes its status; of an integration, with what follows from it. */
export function preguntaEstatus({
  nombre,
  activo,
  conexion,
}: {
  nombre: string;
  /** As it is now. */ activo: boolean;
  conexion: string | null;
}) {
  const sigue =
    conexion === null
      ? ''
      : activo
        ? ' Es una integración: sus sincronizaciones y sus envíos quedan en pausa hasta que se active otra vez.'
        : ' Es una integración: sus sincronizaciones y lo que esperaba por enviarse continúan de inmediato.';
  return {
    titulo: activo ? 'Desactivar empresa' : 'Activar empresa',
    texto: `¿Esta seguro que desea ${activo ? 'desactivar' : 'activar'} la empresa ${nombre}?${sigue}`,
  };
}
