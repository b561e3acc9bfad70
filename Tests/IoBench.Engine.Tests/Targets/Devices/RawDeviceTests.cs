namespace IoBench.Engine.Tests;

public class RawDeviceTests : TargetFolder
{
    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void An_empty_device_is_written_by_force_only()
    {
        using var disk = new LoopVolume(8 * MB);
        Assert.Equal(8 * MB, Check(disk.Device, size: null).Size);
        Refused("IoBench.DeviceNeedsForce", () => Check(disk.Device, size: null, writePercent: 1));
        var target = Prepare(disk.Device, size: 4 * MB, writePercent: 100, force: true);
        Assert.True(target.IsDevice);
        Assert.Equal(4 * MB, target.Size);
        using (BeginWriting(disk.Device, size: null, force: true))
            Refused("IoBench.DeviceInUse", () => BeginWriting(disk.Device, size: null, force: true));
        Refused("IoBench.InvalidSize", () => Check(disk.Device, size: 9 * MB));
        Refused("IoBench.NotAFile", () => TestFiles.Remove(disk.Device, force: true));
    }

    [RequiresRootFact("losetup")]
    public void A_device_that_is_not_empty_is_written_only_when_it_is_named()
    {
        using var disk = new LoopVolume(8 * MB);
        var kernelName = Path.GetFileName(disk.Device);
        foreach (var at in new[] { 0, 12_345, MB - 1, 7 * MB, 8 * MB - 1 })
        {
            Put(disk.Device, at, 0x11);
            var refusal = Refused("IoBench.DeviceNotEmpty", () => Check(disk.Device, size: null, writePercent: 100, force: true));
            Assert.Contains($"offset {at}.", refusal.Message, StringComparison.Ordinal);
            Assert.Contains($"EraseDevice {kernelName} to Force", refusal.Message, StringComparison.Ordinal);
            Refused("IoBench.DeviceNeedsForce", () => Check(disk.Device, size: null, writePercent: 100, erase: kernelName));
            foreach (var wrong in new[] { kernelName + "1", kernelName[..^1], "/dev", "*", "", "dev/" + kernelName })
                Refused("IoBench.DeviceNotEmpty", () => Check(disk.Device, size: null, writePercent: 100, force: true, erase: wrong));
            Check(disk.Device, size: null, writePercent: 100, force: true, erase: kernelName);
            Claim(CheckDevice(disk.Device, erase: disk.Device)).Dispose();
            Put(disk.Device, at, 0);
        }
        Check(disk.Device, size: null, writePercent: 100, force: true);
    }

    [RequiresRootFact("losetup")]
    public void A_device_may_be_named_by_a_link_that_leads_to_it()
    {
        using var disk = new LoopVolume(8 * MB);
        Put(disk.Device, 0, 1);
        var link = At("by-id");
        File.CreateSymbolicLink(link, disk.Device);
        Refused("IoBench.DeviceNotEmpty", () => Check(link, size: null, writePercent: 100, force: true, erase: "by-id"));
        Check(link, size: null, writePercent: 100, force: true, erase: link);
        Check(link, size: null, writePercent: 100, force: true, erase: disk.Device);
    }

    [RequiresRootFact("losetup")]
    public void What_is_known_on_a_device_is_never_written_even_when_it_is_named()
    {
        using var disk = new LoopVolume(8 * MB);
        Put(disk.Device, 32 + 0, "NXSB"u8.ToArray());
        Assert.Contains(
            "an APFS container",
            Refused(
                "IoBench.DeviceHasData",
                () => Check(disk.Device, size: null, writePercent: 100, force: true, erase: disk.Device)
            ).Message,
            StringComparison.Ordinal
        );
    }

    [RequiresRootFact("losetup")]
    public void Data_that_comes_between_the_check_and_the_run_is_not_written()
    {
        using var disk = new LoopVolume(8 * MB);
        var empty = CheckDevice(disk.Device);
        var named = CheckDevice(disk.Device, erase: disk.Device);
        Put(disk.Device, 8 * MB - 1, 1);
        Refused("IoBench.DeviceNotEmpty", () => Claim(empty));
        Claim(named).Dispose();
        Put(disk.Device, 510, 0x55, 0xAA);
        Refused("IoBench.DeviceHasData", () => Claim(named));
    }

    [RequiresRootFact("losetup")]
    public void What_a_test_wrote_needs_no_word_from_the_next_test_of_the_same_run()
    {
        using var disk = new LoopVolume(8 * MB);
        var options = new TestRunOptions { Force = true };
        var writes = Spec(disk.Device, size: null, writePercent: 100);
        TestFiles.Check(writes, writes.Targets[0], options);
        Put(disk.Device, 4096, 1, 2, 3);
        Refused("IoBench.DeviceNotEmpty", () => TestFiles.Check(writes, writes.Targets[0], options));
        options.AddWritten(Spec(disk.Device, size: null));
        Refused("IoBench.DeviceNotEmpty", () => TestFiles.Check(writes, writes.Targets[0], options));
        options.AddWritten(writes);
        TestFiles.Check(writes, writes.Targets[0], options);
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void A_mounted_device_and_one_with_a_file_system_are_never_written()
    {
        using var disk = new LoopVolume(16 * MB).Mount("mkfs.ext4");
        var mounted = Assert.Throws<IoBenchException>(() => Check(disk.Device, size: null, writePercent: 100, force: true));
        Assert.Contains(mounted.ErrorId, new[] { "IoBench.DeviceInUse", "IoBench.DeviceHasData" });
        LoopVolume.Run("umount", disk.MountPoint);
        var refusal = Refused("IoBench.DeviceHasData", () => Check(disk.Device, size: null, writePercent: 100, force: true));
        Assert.Contains("an ext file system", refusal.Message, StringComparison.Ordinal);
        LoopVolume.Run("mount", disk.Device, disk.MountPoint);
    }

    [RequiresRootFact("losetup", "mkswap")]
    public void Swap_space_is_never_written()
    {
        using var disk = new LoopVolume(8 * MB);
        LoopVolume.Run("mkswap", disk.Device);
        Assert.Contains(
            "swap",
            Refused("IoBench.DeviceHasData", () => Check(disk.Device, size: null, writePercent: 100, force: true)).Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void A_database_on_a_raw_device_is_seen()
    {
        var disk = new byte[MB];
        SqlServerSamples.DataFile().CopyTo(disk, 0);
        Assert.Equal("a SQL Server database", Find(disk));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(512)]
    [InlineData(100_000)]
    public void Small_devices_and_our_own_content_hold_nothing(int size)
    {
        var disk = new byte[size];
        FillContent.Fill(disk, 3, 0);
        Assert.Null(Find(disk));
    }

    private static void Put(string device, long offset, params byte[] bytes)
    {
        using var file = new FileStream(device, FileMode.Open, FileAccess.Write, FileShare.ReadWrite, 1);
        file.Position = offset;
        file.Write(bytes);
        file.Flush(flushToDisk: true);
    }

    private static string? Find(byte[] disk) =>
        DeviceSignatures.Find(new DeviceContent(disk.Length, (offset, buffer) => disk.AsSpan((int)offset, buffer.Length).CopyTo(buffer)));
}
