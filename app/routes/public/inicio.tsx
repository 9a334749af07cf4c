import { Link, useRouteLoaderData } from '@remix-run/react';
import type { loader as rootLoader } from '~/root';

export default function Inicio() {
  const root = useRouteLoaderData<typeof rootLoader>('root');
  return (
    <div className="angosta" style={{ paddingTop: '8vh' }}>
      <div className="hoja apilado">
        <h1>{root?.marca}</h1>
        <p>La trastienda de nuestra tienda en línea: ventas de Mercado Libre, facturas CFDI 4.0, envíos y reportes en un solo lugar.</p>
        <p className="nota">El acceso es para el personal.</p>
        <Link className="boton" data-tono="acento" to="/login" style={{ minHeight: 36 }}>Entrar</Link>
      </div>
    </div>
  );
}
