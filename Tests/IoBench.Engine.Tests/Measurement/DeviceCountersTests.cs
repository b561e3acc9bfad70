namespace IoBench.Engine.Tests;

public class DeviceCountersTests
{
    [Theory]
    [InlineData("  10  2  800  40  20  3  1600  90  0  70  130  0 0 0 0 5 9", true)]
    [InlineData("10 2 800 40 20 3 1600 90", true)]
    [InlineData("10 2 800 40 20 3 1600", false)]
    [InlineData("10 2 x 40 20 3 1600 90", false)]
    [InlineData("", false)]
    [InlineData(null, false)]
    public void Counters_of_Linux_are_parsed(string? text, bool isValid) =>
        Assert.Equal(
            isValid ? (10L, 20L, 800L * 512, 1600L * 512, 40.0, 90.0) : ((long, long, long, long, double, double)?)null,
            DeviceCounters.ParseLinuxCounters(text) is { } load
                ? ((long, long, long, long, double, double)?)
                    (load.ReadCount, load.WriteCount, load.ReadBytes, load.WriteBytes, load.ReadMs, load.WriteMs)
                : null
        );

    [Fact]
    public void Loads_are_differences_with_components_last()
    {
        var calls = 0;
        IoDeviceLoad? Read(int device) =>
            device == 3
                ? null
                : new()
                {
                    ReadCount = device,
                    WriteCount = 2,
                    WriteMs = 0.5 + calls++ / 3 * 4,
                };
        var counters = new DeviceCounters([
            ("sda", true, () => Read(1)),
            ("dm-0", false, () => Read(2)),
            ("nbd0", false, () => Read(3)),
            ("dm-0", false, () => Read(4)),
        ]);
        counters.Begin();
        calls = 3;
        counters.End();
        Assert.Equal([("dm-0", false), ("sda", true)], counters.Loads.Select(load => (load.Device, load.IsComponent)));
        Assert.Equal(4, counters.Loads[0].WriteMs);
        Assert.Null(counters.Loads[0].AverageLatencyMs);
    }

    [Fact]
    public void Counters_of_a_replaced_device_are_left_out()
    {
        var reads = 10;
        var counters = new DeviceCounters([("sda", false, () => new IoDeviceLoad { ReadCount = reads })]);
        counters.Begin();
        reads = 2;
        counters.End();
        Assert.Empty(counters.Loads);
    }

    [Theory]
    [InlineData(1.0, 150.0, 0.15)]
    [InlineData(1.05, 157.5, 0.15)]
    [InlineData(1.0, 1000.0, 0.44)]
    [InlineData(0.8, 150.0, null)]
    [InlineData(2.0, 150.0, null)]
    public void Device_latency_requires_the_bytes_of_the_test(double transferred, double milliseconds, double? expected)
    {
        var result = new IoTestResult
        {
            IOCount = 1000,
            DurationSeconds = 10,
            AverageLatencyMs = 0.44,
            BandwidthMBps = 100.0 * 8192 / 1048576,
            Devices =
            [
                new()
                {
                    Device = "dm-0",
                    ReadCount = 1000,
                    ReadBytes = (long)(8_192_000 * transferred),
                    ReadMs = milliseconds,
                },
                new()
                {
                    Device = "sda",
                    IsComponent = true,
                    ReadCount = 1000,
                    ReadBytes = 8_192_000,
                    ReadMs = 100,
                },
            ],
        };
        Assert.Equal(expected, result.GetDeviceLatencyMs() is { } ms ? Math.Round(ms, 6) : null);
        result.ProcessorWaitPercent = 20;
        Assert.Equal(
            expected is null ? null : $"The block device accounted for {expected} ms of the average latency of 0.44 ms.",
            ProcessorWait.CreateWarning(result)!.Text.ToString().Split(" The block").ElementAtOrDefault(1)?.Split(" Stop")[0] is { } text
                ? "The block" + text
                : null
        );
    }
}
