using System.Text;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>fio's job files as tests.</summary>
public class FioJobFileTests
{
    internal const string Example = """
        ; several jobs
        # with what most job files have
        [global]
        ioengine=libaio
        direct=1
        bs=8k
        size=64m
        runtime=90s
        ramp_time=2
        time_based
        filename=/data/a.dat
        randseed=7

        [reads]
        rw=randread   ; a remark
        iodepth=8
        numjobs=2
        percentage_random=80

        [writes]
        stonewall
        rw=write:4k
        bs=64k
        sync=1
        iodepth=1
        verify=crc32c
        thinktime=2500
        thinktime_blocks=4
        offset=1m
        fsync=32

        [data]
        stonewall
        rw=randrw
        rwmixread=70
        rate_iops=70,30
        numjobs=2

        [log]
        rw=write
        bs=4k
        filename=/data/log\:1.dat
        """;

    private static CommandLineTests Read(string text) => FioCommandLine.Read(new StringReader(text), "x.fio");

    private static IoTestSpecification One(string options) => Assert.Single(Read("[job]\nrw=randread\nruntime=1\ntime_based\nfilename=a.dat\n" + options).ThrowIfRefused().Specifications);

    private static IoBenchException Refused(string options) => Assert.Single(Read("[job]\nrw=randread\nruntime=1\ntime_based\nfilename=a.dat\n" + options).Refused);

    [Fact]
    public void Options_for_all_hold_for_each_job()
    {
        var test = Read(Example).Specifications[0];

        Assert.Equal(("reads", 14, "x.fio"), (test.Label, test.Origin().SourceLine!.Value, test.Origin().SourceFile));
        Assert.Equal((TimeSpan.FromSeconds(90), TimeSpan.FromSeconds(2), 7UL, IoBackendKind.LinuxAio), (test.Duration, test.WarmUp, test.Seed, test.Backend));
        Assert.Equal((8192L, 2, 8, 0, IoBuffering.Hardware), (test.BlockSize, test.ThreadCount, test.OutstandingIO, test.WritePercent, test.Buffering));
        Assert.Equal((IoAccessPattern.PartRandom, 80), (test.AccessPattern, test.RandomPercent));
        var target = Assert.Single(test.Targets);
        Assert.Equal(("/data/a.dat", 64L << 20, 0L, null), (target.Path, target.FileSize!.Value, target.BaseOffset, target.MaxOffset));
    }

    [Fact]
    public void A_stonewall_begins_the_next_test()
    {
        var tests = Read(Example);
        var test = tests.Specifications[1];

        Assert.Equal(3, tests.Specifications.Count);
        Assert.Equal((65536L, 69632L, 100, IoBuffering.None), (test.BlockSize, test.Stride!.Value, test.WritePercent, test.Buffering));
        Assert.Equal((4, 3, 32), (test.BurstSize, test.ThinkTimeMs, test.FlushEvery));
        Assert.Equal((1L << 20, 65L << 20, 65L << 20), (test.Targets[0].BaseOffset, test.Targets[0].FileSize!.Value, test.Targets[0].MaxOffset!.Value));
        Assert.Contains("x.fio line 20, job writes: verify=crc32c is not taken: what this test reads is not checked. A check of data is a test of its own: iobench verify, Test-IoIntegrity", tests.Notes);
        Assert.Contains("x.fio line 20, job writes: thinktime=2500 becomes 3 ms: whole milliseconds are possible", tests.Notes);
    }

    [Fact]
    public void Jobs_side_by_side_are_the_targets_of_one_test()
    {
        var test = Read(Example).Specifications[2];

        Assert.Equal("data+log", test.Label);
        Assert.Equal(["/data/a.dat", "/data/log:1.dat"], test.Targets.Select(target => target.Path));
        Assert.Equal(["data", "log"], test.Targets.Select(target => target.Role));
        var (data, log) = (test.Targets[0].Pattern!, test.Targets[1].Pattern!);
        Assert.Equal((200.0, 30, 2, IoAccessPattern.Random), (data.TargetIops!.Value, data.WritePercent, data.ThreadCount, data.AccessPattern));
        Assert.Equal((null, 100, 1, IoAccessPattern.Sequential, 4096L), (log.TargetIops, log.WritePercent, log.ThreadCount, log.AccessPattern, log.BlockSize));
    }

    [Theory]
    [InlineData("8k", 8192)]
    [InlineData("8K", 8192)]
    [InlineData("8kb", 8192)]
    [InlineData("8ki", 8000)]
    [InlineData("0x2000", 8192)]
    [InlineData("4096,8k", 4096)]
    public void Sizes_count_as_fio_counts(string size, long bytes) => Assert.Equal(bytes, One("bs=" + size).BlockSize);

    [Theory]
    [InlineData("runtime=90", 90_000)]
    [InlineData("runtime=2m", 120_000)]
    [InlineData("runtime=1500ms", 1500)]
    [InlineData("runtime=1h", 3_600_000)]
    public void Times_have_units(string option, double milliseconds) => Assert.Equal(milliseconds, One(option).Duration.TotalMilliseconds);

    [Fact]
    public void Shares_of_several_block_sizes_are_weights_in_one_pool()
    {
        var test = One("bssplit=4k/60:64k/40\nioengine=libaio\niodepth=16\nnumjobs=2");

        Assert.Equal((true, 16, 2), (test.SharedThreadPool, test.PoolOutstandingIO!.Value, test.ThreadCount));
        Assert.Equal([(4096L, 60), (65536L, 40)], test.Targets.Select(target => (target.Pattern!.BlockSize, target.Pattern.Weight)));
        Assert.All(test.Targets, target => Assert.Equal("a.dat", target.Path));
    }

    [Fact]
    public void Clones_without_a_named_file_have_files_of_their_own()
    {
        var test = Assert.Single(Read("[job]\nrw=write\nnumjobs=2\nsize=1m\ndirectory=/data\nruntime=1\ntime_based").Specifications);

        Assert.Equal([Path.Combine("/data", "job.0.0"), Path.Combine("/data", "job.1.0")], test.Targets.Select(target => target.Path));
        Assert.Equal((1, 1L << 20), (test.ThreadCount, test.Targets[1].FileSize!.Value));
    }

    [Fact]
    public void Several_files_share_the_size_and_the_threads()
    {
        var test = One("filename=a.dat:b.dat\nsize=8m\nioengine=libaio\niodepth=4");

        Assert.Equal((true, 4), (test.SharedThreadPool, test.PoolOutstandingIO!.Value));
        Assert.Equal([("a.dat", 4L << 20), ("b.dat", 4L << 20)], test.Targets.Select(target => (target.Path, target.FileSize!.Value)));
    }

    [Fact]
    public void A_synchronous_engine_has_one_outstanding_and_says_so()
    {
        var tests = Read("[job]\nrw=read\niodepth=32\nruntime=1\ntime_based\nfilename=a.dat");

        Assert.Equal(1, Assert.Single(tests.Specifications).OutstandingIO);
        Assert.Contains("iodepth=32 has no effect", Assert.Single(tests.Notes));
    }

    [Fact]
    public void Clones_read_the_same_blocks_unless_an_increment_parts_them()
    {
        Assert.Equal(0, One("rw=read\nnumjobs=4").ThreadStride);
        Assert.Equal(1 << 30, One("rw=read\nnumjobs=4\noffset_increment=1g").ThreadStride);
        Assert.Equal("IoBench.NotSupported", Refused("offset_increment=1g").ErrorId);
    }

    [Theory]
    [InlineData("rw=trim", "does not trim")]
    [InlineData("rw=sideways", "rw=sideways is none of")]
    [InlineData("rw=randrw\nbs=4k,8k", "same block size")]
    [InlineData("bsrange=4k-16k", "range")]
    [InlineData("rw=randread:8", "percentage_random")]
    [InlineData("random_distribution=zipf:1.2", "random_distribution=zipf:1.2")]
    [InlineData("size=50%", "size=50%")]
    [InlineData("ioengine=rados", "ioengine=rados")]
    [InlineData("runtime=soon", "runtime=soon is no time")]
    [InlineData("numjobs=1000", "1 to 256")]
    [InlineData("bssplit=4k/60:64k/60", "100 percent")]
    [InlineData("cpus_allowed=9-1", "0-3,8")]
    [InlineData("rw=randwrite\nverify=md5\nverify_only", "would write it anew")]
    [InlineData("rw=write\ncreate_only=1", "only makes its files")]
    [InlineData("rw=write\nread_iolog=trace.log", "was recorded")]
    [InlineData("rw=randrw\nopendir=/data", "name them")]
    [InlineData("rw=write\nfilename_format=$jobname.$jobnum", "names of their own")]
    [InlineData("rw=write\nreadonly", "forbids the writes")]
    public void What_would_be_another_test_is_refused(string options, string words) => Assert.Contains(words, Refused(options).Message);

    [Theory]
    [InlineData("rw=read\n[job]", "before the first section")]
    [InlineData("[job]\ninclude other.fio", "include is not read")]
    [InlineData("[job]\nfilename=${IOBENCH_NOT_THERE}", "the environment has no IOBENCH_NOT_THERE")]
    [InlineData("[job\nrw=read", "brackets")]
    public void A_file_that_cannot_be_read_is_an_error(string text, string words) => Assert.Contains(words, Assert.Throws<IoBenchException>(() => Read(text)).Message);

    [Fact]
    public void What_only_concerns_the_output_is_not_mentioned()
    {
        var tests = Read("[job]\nrw=read\nruntime=1\ntime_based\nfilename=a.dat\ngroup_reporting\npercentile_list=50:99\nwrite_lat_log=x\nnorandommap\nthread");
        Assert.Empty(tests.Notes);
    }

    [Theory]
    [InlineData("verify=crc32c\nverify_fatal=1\nverify_backlog=8\ndo_verify=1", 1)]
    [InlineData("verify=0\nverify_fatal=1", 0)]
    [InlineData("do_verify=0", 0)]
    [InlineData("readonly", 0)]
    public void A_check_of_data_is_named_once_where_there_is_one(string options, int notes)
        => Assert.Equal(notes, Read("[job]\nrw=randread\nruntime=1\ntime_based\nfilename=a.dat\n" + options).Notes.Count);

    [Fact]
    public void Jobs_that_differ_in_what_a_test_has_once_are_refused()
        => Assert.Contains("runtime differs from that of a", Assert.Single(Read("[a]\nrw=read\nfilename=a\nruntime=1\n[b]\nrw=read\nfilename=b\nruntime=2").Refused).Message);

    [Fact]
    public void A_command_line_is_read_with_other_tools_lines()
    {
        var tests = CommandLineReader.Read("fio --name='my job' --rw=randread --bs=4k --iodepth 32 --ioengine=io_uring --runtime=2s --time_based --filename=/d/x.dat > out.json\nsqlio -kR -s5 x.dat");

        Assert.Empty(tests.Refused);
        Assert.Equal(2, tests.Specifications.Count);
        var test = tests.Specifications[0];
        Assert.Equal(("my job", 32, IoBackendKind.IoUring, "out.json"), (test.Label, test.OutstandingIO, test.Backend, test.Origin().OutputFile));
        Assert.StartsWith("fio --name='my job'", test.Origin().CommandLine);
    }

    [Fact]
    public void A_call_may_name_a_job_file_and_its_sections()
    {
        var folder = Directory.CreateTempSubdirectory("iobench-");
        try
        {
            File.WriteAllText(Path.Combine(folder.FullName, "x.fio"), Example, Encoding.UTF8);
            var tests = CommandLineReader.Read("fio x.fio --section=writes", folder.FullName);
            Assert.Equal("writes", Assert.Single(tests.Specifications).Label);
            Assert.Equal(3, CommandLineReader.ReadFile(Path.Combine(folder.FullName, "x.fio")).Specifications.Count);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Theory]
    [InlineData("fio --version")]
    [InlineData("fio --rw=read")]
    [InlineData("fio --server")]
    public void A_call_without_a_test_is_refused(string line) => Assert.Single(CommandLineReader.Read(line).Refused);
}
