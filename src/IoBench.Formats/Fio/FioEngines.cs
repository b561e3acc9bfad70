namespace IoBench.Formats;

internal static class FioOptions
{
    private static readonly (string Engine, string Backend)[] s_engines =
    [
        ("io_uring", "IoUring"),
        ("libaio", "LinuxAio"),
        ("windowsaio", "Overlapped"),
        ("posixaio", "Threads"),
        ("null", "Null"),
    ];

    public static string? FindBackend(string? engine) => Array.Find(s_engines, pair => pair.Engine == engine).Backend;

    public static string? FindEngine(string? backend) => Array.Find(s_engines, pair => pair.Backend == backend).Engine;
}
