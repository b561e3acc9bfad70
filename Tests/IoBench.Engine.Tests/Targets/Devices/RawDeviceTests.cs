namespace IoBench.Engine.Tests;

public class RawDeviceTests : TargetTestBase
{
    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void Empty_device_is_written_only_if_it_is_named()
    {
        using var disk = new LoopVolume(8 * MB);
        Assert.Equal(8 * MB, CheckTarget(disk.Device, size: null).Size);
        var refusal = AssertRefused("IoBench.DeviceNotNamed", () => CheckTarget(disk.Device, size: null, writePercent: 1));
        Assert.Contains($"add EraseDevice {Path.GetFileName(disk.Device)}", refusal.Message, StringComparison.Ordinal);
        var target = PrepareFile(disk.Device, size: 4 * MB, writePercent: 100, allowAll: true);
        Assert.True(target.IsDevice);
        Assert.Equal(4 * MB, target.Size);
        using (StartWriting(disk.Device, size: null, allowAll: true))
            AssertRefused("IoBench.DeviceInUse", () => StartWriting(disk.Device, size: null, allowAll: true));
        AssertRefused("IoBench.InvalidSize", () => CheckTarget(disk.Device, size: 9 * MB));
        AssertRefused("IoBench.NotAFile", () => TestFiles.Remove(disk.Device));
    }

    [RequiresRootFact("losetup")]
    public void Nonempty_device_is_written_only_if_EraseDevice_names_it()
    {
        using var disk = new LoopVolume(8 * MB);
        var kernelName = Path.GetFileName(disk.Device);
        foreach (var at in new[] { 0, 12_345, MB - 1, 7 * MB, 8 * MB - 1 })
        {
            WriteBytes(disk.Device, at, 0x11);
            var refusal = AssertRefused("IoBench.DeviceNotEmpty", () => CheckTarget(disk.Device, size: null, writePercent: 100));
            Assert.Contains($"offset {at}.", refusal.Message, StringComparison.Ordinal);
            Assert.Contains($"add EraseDevice {kernelName}", refusal.Message, StringComparison.Ordinal);
            foreach (var wrong in new[] { kernelName + "1", kernelName[..^1], "/dev", "*", "", "dev/" + kernelName })
                AssertRefused("IoBench.DeviceNotEmpty", () => CheckTarget(disk.Device, size: null, writePercent: 100, erase: wrong));
            CheckTarget(disk.Device, size: null, writePercent: 100, erase: kernelName);
            OpenDeviceForWriting(CheckDevice(disk.Device, erase: disk.Device)).Dispose();
            WriteBytes(disk.Device, at, 0);
        }
    }

    [RequiresRootFact("losetup")]
    public void EraseDevice_accepts_a_link_to_the_device()
    {
        using var disk = new LoopVolume(8 * MB);
        WriteBytes(disk.Device, 0, 1);
        var link = GetPath("by-id");
        File.CreateSymbolicLink(link, disk.Device);
        AssertRefused("IoBench.DeviceNotEmpty", () => CheckTarget(link, size: null, writePercent: 100, erase: "by-id"));
        CheckTarget(link, size: null, writePercent: 100, erase: link);
        CheckTarget(link, size: null, writePercent: 100, erase: disk.Device);
    }

    [RequiresRootFact("losetup")]
    public void Device_with_a_known_format_is_refused_even_with_EraseDevice()
    {
        using var disk = new LoopVolume(8 * MB);
        WriteBytes(disk.Device, 32 + 0, "NXSB"u8.ToArray());
        Assert.Contains(
            "an APFS container",
            AssertRefused(
                "IoBench.DeviceHasData",
                () => CheckTarget(disk.Device, size: null, writePercent: 100, erase: disk.Device)
            ).Message,
            StringComparison.Ordinal
        );
    }

    [RequiresRootFact("losetup")]
    public void Known_content_written_after_the_check_is_not_overwritten()
    {
        using var disk = new LoopVolume(8 * MB);
        var named = CheckDevice(disk.Device, erase: disk.Device);
        WriteBytes(disk.Device, 8 * MB - 1, 1);
        OpenDeviceForWriting(named).Dispose();
        WriteBytes(disk.Device, 510, 0x55, 0xAA);
        AssertRefused("IoBench.DeviceHasData", () => OpenDeviceForWriting(named));
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void Mounted_device_or_file_system_is_never_written()
    {
        using var disk = new LoopVolume(16 * MB).Mount("mkfs.ext4");
        var mounted = Assert.Throws<IoBenchException>(() => CheckTarget(disk.Device, size: null, writePercent: 100, allowAll: true));
        Assert.Contains(mounted.ErrorId, new[] { "IoBench.DeviceInUse", "IoBench.DeviceHasData" });
        LoopVolume.RunProgram("umount", disk.MountPoint);
        var refusal = AssertRefused("IoBench.DeviceHasData", () => CheckTarget(disk.Device, size: null, writePercent: 100, allowAll: true));
        Assert.Contains("an ext file system", refusal.Message, StringComparison.Ordinal);
        LoopVolume.RunProgram("mount", disk.Device, disk.MountPoint);
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void Copies_of_an_ext4_superblock_are_found()
    {
        using var disk = new LoopVolume(256 * MB);
        LoopVolume.RunProgram("mkfs.ext4", "-q", disk.Device);
        AssertRefusedAfterStartIsErased(disk.Device, "an ext file system (at offset ");
    }

    [RequiresRootFact("losetup", "mkfs.xfs")]
    public void Superblock_of_another_XFS_allocation_group_is_found()
    {
        using var disk = new LoopVolume(512 * MB);
        LoopVolume.RunProgram("mkfs.xfs", "-q", disk.Device);
        AssertRefusedAfterStartIsErased(disk.Device, "an XFS file system (at offset ");
    }

    private static void AssertRefusedAfterStartIsErased(string device, string found)
    {
        WriteBytes(device, 0, new byte[MB]);
        var refusal = AssertRefused(
            "IoBench.DeviceHasData",
            () => CheckTarget(device, size: null, writePercent: 100, allowAll: true, erase: device)
        );
        Assert.Contains(found, refusal.Message, StringComparison.Ordinal);
    }

    [RequiresRootFact("losetup", "mkswap")]
    public void Swap_space_is_never_written()
    {
        using var disk = new LoopVolume(8 * MB);
        LoopVolume.RunProgram("mkswap", disk.Device);
        Assert.Contains(
            "swap",
            AssertRefused("IoBench.DeviceHasData", () => CheckTarget(disk.Device, size: null, writePercent: 100, allowAll: true)).Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Database_on_a_raw_device_is_found()
    {
        var disk = new byte[MB];
        SqlServerSampleFiles.CreateDataFile().CopyTo(disk, 0);
        Assert.Equal("a SQL Server database", FindSignature(disk));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(512)]
    [InlineData(100_000)]
    public void Small_devices_and_own_content_have_no_signature(int size)
    {
        var disk = new byte[size];
        TestFileContent.Generate(disk, 3, 0);
        Assert.Null(FindSignature(disk));
    }

    private static void WriteBytes(string device, long offset, params byte[] bytes)
    {
        using var file = new FileStream(device, FileMode.Open, FileAccess.Write, FileShare.ReadWrite, 1);
        file.Position = offset;
        file.Write(bytes);
        file.Flush(flushToDisk: true);
    }

    private static string? FindSignature(byte[] disk) =>
        new TargetContent(disk.Length, (offset, buffer) => disk.AsSpan((int)offset, buffer.Length).CopyTo(buffer)).Find()?.Name;
}
