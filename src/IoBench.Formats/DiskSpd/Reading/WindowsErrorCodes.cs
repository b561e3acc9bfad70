using System.Globalization;
using System.Text.RegularExpressions;

namespace IoBench.Formats;

/// <summary>Meanings of the Windows system error codes that tools print when a run fails.</summary>
internal static partial class WindowsErrorCodes
{
    /// <summary>Examples: (error code: 112), error code: 5), [2], (112), (error 50), Error code: 0x80070070</summary>
    [GeneratedRegex(
        @"\berror(?: code)?:? (?<hex>0x[0-9a-f]{1,8})\b|\berror(?: code)?:? (?<code>[0-9]{1,5})\b|\[(?<code>[0-9]{1,5})\]$|\((?<code>[0-9]{1,5})\)$",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant
    )]
    private static partial Regex GetCodeRegex();

    /// <summary>Returns the meanings of the codes in the lines, such as <c>112 = not enough space on the disk</c>; null if there are
    /// none.</summary>
    internal static string? Describe(IEnumerable<string> lines)
    {
        var codes = lines.SelectMany(line => GetCodeRegex().Matches(line)).Select(ParseCode).OfType<int>().Distinct();
        List<string> meanings =
        [
            .. codes
                .Where(s_meanings.ContainsKey)
                .Select(code => string.Create(CultureInfo.InvariantCulture, $"{code} = {s_meanings[code]}")),
        ];
        return meanings.Count == 0 ? null : string.Join("; ", meanings);
    }

    private static int? ParseCode(Match match)
    {
        if (match.Groups["code"].Success)
            return int.Parse(match.Groups["code"].ValueSpan, CultureInfo.InvariantCulture);
        var value = uint.Parse(match.Groups["hex"].ValueSpan[2..], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
        // An HRESULT of Win32 has the code in its lower half.
        return value >> 16 is 0 or 0x8007 ? (int)(value & 0xFFFF) : null;
    }

    private static readonly Dictionary<int, string> s_meanings = new()
    {
        [1] = "incorrect function",
        [2] = "file not found",
        [3] = "path not found",
        [4] = "too many open files",
        [5] = "access denied",
        [6] = "invalid handle",
        [8] = "not enough memory",
        [14] = "not enough memory",
        [15] = "drive not found",
        [19] = "the medium is write-protected",
        [20] = "device not found",
        [21] = "the device is not ready",
        [23] = "data error (cyclic redundancy check)",
        [27] = "sector not found",
        [29] = "the system cannot write to the device",
        [30] = "the system cannot read from the device",
        [31] = "the device is not functioning",
        [32] = "the file is in use by another process",
        [33] = "another process has locked a part of the file",
        [38] = "end of the file",
        [39] = "the disk is full",
        [50] = "the request is not supported",
        [51] = "the remote computer is not available",
        [53] = "network path not found",
        [54] = "the network is busy",
        [55] = "the network resource or device is no longer available",
        [57] = "network adapter hardware error",
        [58] = "the server cannot perform the requested operation",
        [59] = "unexpected network error",
        [64] = "the network name is no longer available",
        [65] = "network access denied",
        [67] = "network name not found",
        [80] = "the file exists",
        [87] = "invalid parameter",
        [110] = "the device or file cannot be opened",
        [112] = "not enough space on the disk",
        [121] = "semaphore timeout",
        [123] = "invalid file, folder, or volume name",
        [161] = "invalid path",
        [170] = "the resource is in use",
        [183] = "the file already exists",
        [206] = "the file name is too long",
        [223] = "the file is too large",
        [233] = "no process is at the other end of the pipe",
        [258] = "the wait timed out",
        [267] = "invalid folder name",
        [433] = "the device does not exist",
        [483] = "the device reported a fatal hardware error",
        [665] = "file system limitation",
        [995] = "the I/O operation was aborted",
        [998] = "invalid access to a memory location",
        [1006] = "the volume that contains the file was changed externally, which made the open file invalid",
        [1117] = "I/O device error",
        [1167] = "the device is not connected",
        [1219] = "multiple connections to one server with different user names are not allowed",
        [1225] = "the remote computer refused the connection",
        [1231] = "the network location cannot be reached",
        [1232] = "the network location cannot be reached",
        [1236] = "the network connection was aborted by the local system",
        [1300] = "the user does not have the privilege",
        [1314] = "the user does not have the required privilege",
        [1392] = "the file or folder is damaged",
        [1450] = "not enough system resources",
        [1453] = "not enough quota",
        [1455] = "the paging file is too small",
        [1460] = "timeout",
        [1784] = "invalid buffer",
        [1816] = "not enough quota",
    };
}
