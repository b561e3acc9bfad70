using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.LinuxCalls;

namespace IoBench.Engine;

internal unsafe partial class LinuxFiles
{
    public override string? GetVolumeId(string folder)
    {
        LinuxCalls.Statx status;
        return LinuxCalls.GetStatx(LinuxCalls.AT_FDCWD, folder, 0, LinuxCalls.Statx.BasicStats, &status) == 0 ? status.DeviceNumber : null;
    }

    public override void CollectFacts(VolumeFacts facts, string existing, SafeFileHandle? file) => facts.CollectLinux(existing, file);

    public override SafeFileHandle OpenForWorker(
        SafeFileHandle known,
        string path,
        bool write,
        IoPattern pattern,
        BackendDescriptor backend
    ) => LinuxFiles.OpenWithBuffering(GetReopenPath(known), path, write, pattern);

    public override string? FindDeviceBackedBy(FileStatus status)
    {
        if (
            LoopDevice
                .FindAll(LinuxBlockDevice.DefaultSysfsRoot)
                .FirstOrDefault(loop => loop.BackingId is { } under && under.IsSameFile(status)) is
            { } loop
        )
            return $"the loop device /dev/{loop.Name}";
        return LinuxDeviceUsers.ReadSwaps().Any(swap => swap.Id is { } file && file.IsSameFile(status)) ? "swap space" : null;
    }

    public override ulong? GetMediumNumber(SafeFileHandle device)
    {
        // Kernels before 5.15 do not count media.
        ulong number;
        return Control(device, LinuxCalls.BLKGETDISKSEQ, &number) == 0 ? number : null;
    }
}
