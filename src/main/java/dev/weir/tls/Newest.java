package dev.weir.tls;

import java.security.KeyStore;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyManagerFactorySpi;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.TrustManagerFactorySpi;

/** Factories for a library that keeps one for good and asks it anew for each connection: they pass on what is in force then. */
public final class Newest {
    private Newest() {}

    /** Returns a factory that shows who we are by then. */
    public static KeyManagerFactory identity(Supplier<KeyManagerFactory> inForce) {
        return new Keys(inForce);
    }

    /** Returns a factory that trusts whom we trust by then. */
    public static TrustManagerFactory authorities(Supplier<TrustManagerFactory> inForce) {
        return new Trust(inForce);
    }

    private static IllegalStateException initialized() {
        return new IllegalStateException("what it gives is made of files, and of nothing else");
    }

    private static final class Keys extends KeyManagerFactory {
        Keys(Supplier<KeyManagerFactory> inForce) {
            super(
                    new KeyManagerFactorySpi() {
                        @Override
                        protected KeyManager[] engineGetKeyManagers() {
                            return inForce.get().getKeyManagers();
                        }

                        @Override
                        protected void engineInit(KeyStore store, char[] password) {
                            throw initialized();
                        }

                        @Override
                        protected void engineInit(ManagerFactoryParameters parameters) {
                            throw initialized();
                        }
                    },
                    inForce.get().getProvider(),
                    inForce.get().getAlgorithm());
        }
    }

    private static final class Trust extends TrustManagerFactory {
        Trust(Supplier<TrustManagerFactory> inForce) {
            super(
                    new TrustManagerFactorySpi() {
                        @Override
                        protected TrustManager[] engineGetTrustManagers() {
                            return inForce.get().getTrustManagers();
                        }

                        @Override
                        protected void engineInit(KeyStore store) {
                            throw initialized();
                        }

                        @Override
                        protected void engineInit(ManagerFactoryParameters parameters) {
                            throw initialized();
                        }
                    },
                    inForce.get().getProvider(),
                    inForce.get().getAlgorithm());
        }
    }
}
