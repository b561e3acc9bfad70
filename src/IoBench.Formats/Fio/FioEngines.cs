namespace IoBench.Formats.Fio;

/// <summary>fio's engines that reach the operating system in the same way as a backend.</summary>
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

    /// <summary>The backend of an engine; null when none is the same.</summary>
    public static string? BackendOf(string? engine) => Array.Find(s_same, pair => pair.Engine == engine).Backend;

    /// <summary>The engine of a backend; null when none is the same.</summary>
    public static string? EngineOf(string? backend) => Array.Find(s_same, pair => pair.Backend == backend).Engine;
}
