namespace IoBench.Formats;

internal static class FioResultBuilder
{
    private static readonly Dictionary<int, string> s_errorTexts = new()
    {
        [1] = "operation not permitted",
        [2] = "no such file or directory",
        [4] = "interrupted",
        [5] = "input/output error",
        [6] = "no such device or address",
        [9] = "bad file descriptor",
        [11] = "resource temporarily unavailable",
        [12] = "out of memory",
        [13] = "permission denied",
        [16] = "device or resource busy",
        [17] = "file exists",
        [19] = "no such device",
        [20] = "not a directory",
        [21] = "is a directory",
        [22] = "invalid argument",
        [24] = "too many open files",
        [27] = "file too large",
        [28] = "no space left on device",
        [30] = "read-only file system",
        [38] = "function not implemented",
        [61] = "no data available",
        [62] = "timer expired",
        [84] = "what was read is not what was written",
        [95] = "operation not supported",
        [104] = "connection reset",
        [107] = "not connected",
        [108] = "transport endpoint shut down",
        [110] = "timed out",
        [116] = "stale file handle",
        [121] = "remote input/output error",
        [122] = "disk quota exceeded",
    };

    internal static string DescribeError(int number, string? text) =>
        text ?? s_errorTexts.GetValueOrDefault(Math.Abs(number), "not known by name");
}
