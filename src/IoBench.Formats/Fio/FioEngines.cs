namespace IoBench.Formats;

internal static class FioEngines
{
    private static readonly (string Engine, string Backend)[] s_same =
    [
        ("io_uring", "IoUring"),
        ("libaio", "LinuxAio"),
        ("windowsaio", "Overlapped"),
        ("posixaio", "Threads"),
        ("null", "Null"),
    ];

    public static string? BackendOf(string? engine) => Array.Find(s_same, pair => pair.Engine == engine).Backend;

    public static string? EngineOf(string? backend) => Array.Find(s_same, pair => pair.Backend == backend).Engine;
}
