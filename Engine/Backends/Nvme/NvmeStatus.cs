using System.Globalization;

namespace IoBench.Engine;

/// <summary>NVMe status codes (Base Specification 2.0, figures 93 to 98) as completion results.</summary>
internal static class NvmeStatus
{
    // All error numbers of the system are below this value.
    private const int Base = 1 << 16;

    // Status code type and status code. The higher bits only tell whether to retry and where to read more.
    private const int Meaning = 0x7FF;
    private const int DoNotRetry = 0x4000;

    private static readonly Dictionary<int, string> s_names = new()
    {
        [0x001] = "Invalid Command Opcode",
        [0x002] = "Invalid Field in Command",
        [0x004] = "Data Transfer Error",
        [0x005] = "Commands Aborted due to Power Loss Notification",
        [0x006] = "Internal Error",
        [0x007] = "Command Abort Requested",
        [0x00B] = "Invalid Namespace or Format",
        [0x013] = "PRP Offset Invalid",
        [0x01C] = "Sanitize Failed",
        [0x01D] = "Sanitize In Progress",
        [0x020] = "Namespace is Write Protected",
        [0x021] = "Command Interrupted",
        [0x022] = "Transient Transport Error",
        [0x080] = "LBA Out of Range",
        [0x081] = "Capacity Exceeded",
        [0x082] = "Namespace Not Ready",
        [0x083] = "Reservation Conflict",
        [0x084] = "Format In Progress",
        [0x180] = "Conflicting Attributes",
        [0x181] = "Invalid Protection Information",
        [0x182] = "Attempted Write to Read Only Range",
        [0x280] = "Write Fault",
        [0x281] = "Unrecovered Read Error",
        [0x282] = "End-to-end Guard Check Error",
        [0x283] = "End-to-end Application Tag Check Error",
        [0x284] = "End-to-end Reference Tag Check Error",
        [0x286] = "Access Denied",
        [0x287] = "Deallocated or Unwritten Logical Block",
        [0x300] = "Internal Path Error",
        [0x301] = "Asymmetric Access Persistent Loss",
        [0x302] = "Asymmetric Access Inaccessible",
        [0x303] = "Asymmetric Access Transition",
        [0x360] = "Controller Pathing Error",
        [0x370] = "Host Pathing Error",
        [0x371] = "Command Aborted By Host",
    };

    /// <param name="status">Status field of the completion without its phase bit; greater than 0.</param>
    public static int ToResult(int status) => -(Base + status);

    public static bool IsStatus(int result) => result <= -Base;

    public static string Describe(int result)
    {
        var status = -result - Base;
        var name = s_names.TryGetValue(status & Meaning, out var known) ? known : $"code {status & 0xFF:x} of type {status >> 8 & 7}";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"NVMe status 0x{status & Meaning:x} "
                + $"({name}{((status & DoNotRetry) != 0 ? "; the drive says that to try again is of no use" : "")})"
        );
    }

    public static string? GetAdvice(int result) =>
        (-result - Base & Meaning) switch
        {
            0x020 => "Take the write protection away with the drive's own tool (nvme set-feature), or name another drive.",
            0x280 or 0x281 or 0x006 => "The drive failed: look at its log (nvme smart-log, nvme error-log).",
            0x083 => "Another host holds the namespace (nvme resv-report).",
            _ => null,
        };
}
