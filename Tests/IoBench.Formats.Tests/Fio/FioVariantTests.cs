using System.Text;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class FioVariantTests
{
    private static readonly string s_json = File.ReadAllText(SampleFiles.GetPath("fio", "read-psync.json"));

    [Fact]
    public void Separate_rates_set_the_write_percentage() =>
        Assert.Equal(40, Assert.Single(ReadOutput(File.ReadAllText(SampleFiles.GetPath("fio", "rate.json")))).WritePercent);

    private static List<IoTestResult> ReadOutput(string text) => ReadOutput(Encoding.UTF8.GetBytes(text));

    private static List<IoTestResult> ReadOutput(byte[] bytes) => [.. FioFormat.Read(new MemoryStream(bytes), "x")];

    /// <summary>
    /// JSON as fio 2.1 prints it: microseconds, KiB named bytes, no counts, no options, and zeros that fill the percentiles.
    /// </summary>
    private const string Old = """
        fio: this platform does not support process shared mutexes, forcing use of threads. Use the 'thread' option to get rid of this warning.
        {
          "fio version" : "fio-2.1.3",
          "jobs" : [
            {
              "jobname" : "old",
              "groupid" : 0,
              "error" : 0,
              "read" : {
                "io_bytes" : 81920,
                "bw" : 8192,
                "iops" : 1024,
                "runtime" : 10000,
                "slat" : { "min" : 1, "max" : 90, "mean" : 4.00, "stddev" : 1.00 },
                "clat" : { "min" : 10, "max" : 2000, "mean" : 96.00, "stddev" : 20.00,
                  "percentile" : { "50.000000" : 90, "99.000000" : 300, "99.900000" : 1100, "0.00" : 0, "0.00" : 0 } },
                "lat" : { "min" : 12, "max" : 2010, "mean" : 100.00, "stddev" : 21.00 },
                "bw_min" : 0, "bw_max" : 0, "bw_agg" : nan, "bw_mean" : -nan, "bw_dev" : inf
              },
              "write" : { "io_bytes" : 0, "bw" : 0, "iops" : 0, "runtime" : 0,
                "slat" : { "min" : 0, "max" : 0, "mean" : 0.00, "stddev" : 0.00 },
                "clat" : { "min" : 0, "max" : 0, "mean" : 0.00, "stddev" : 0.00, "percentile" : { "50.000000" : 0, "99.000000" : 0, "0.00" : 0 } },
                "lat" : { "min" : 0, "max" : 0, "mean" : 0.00, "stddev" : 0.00 } },
              "usr_cpu" : 1.50,
              "sys_cpu" : 4.50,
              "latency_us" : { "2" : 0.00, "100" : 60.00, "250" : 39.00 },
              "latency_ms" : { "2" : 1.00, ">=2000" : 0.00 },
              "total_err" : 3,
              "total_err" : 5
            }
          ]
        }
        fio: done, with a line behind it
        """;

    [Fact]
    public void Fio_2_JSON_is_read_in_microseconds_and_KiB()
    {
        var result = Assert.Single(ReadOutput(Old));

        Assert.Equal(
            (FioFormat.Source, IoResultStatus.Complete, "2.1.3", "old"),
            (result.Source, result.Status, result.ToolVersion, result.Label)
        );
        Assert.Equal((1024.0, 8.0, 10.0, 81920L * 1024), (result.IOPS, result.BandwidthMBps, result.DurationSeconds, result.ByteCount));
        Assert.Equal(
            (0.1, 0.012, 2.01, 0.021),
            (result.AverageLatencyMs, result.MinLatencyMs, result.MaxLatencyMs, result.LatencyStdDevMs)
        );
        Assert.Equal((0.09, 0.3, 1.1, 0.3), (result.P50Ms, result.P99Ms, result.P999Ms, result.ReadP99Ms));
        Assert.Equal([50, 99, 99.9], result.Percentiles.Select(p => p.Percent));
        Assert.Equal((null, null, null), (result.WriteAverageLatencyMs, result.WriteP99Ms, result.IOCount));
        Assert.Equal((null, null, null, null), (result.ThreadCount, result.Buffering, result.LoadModel, result.AccessPattern));
        Assert.Equal(
            (IoOperation.Read, "clat", "lat"),
            (result.Operation, result.ToolDetails["percentiles of"], result.ToolDetails["latency of"])
        );
        Assert.Equal(
            [(0.05, 0.1, 60.0), (0.1, 0.25, 39.0), (1, 2, 1)],
            result.Histogram!.Buckets.Select(b => (b.FromMs, b.ToMs!.Value, b.Percent))
        );
        Assert.Contains("3 I/Os failed, the first with error 5 (input/output error)", Assert.Single(result.Warnings));
    }

    private const string OldText = """
        seq: (g=0): rw=rw, bs=64K-64K/64K-64K/64K-64K, ioengine=libaio, iodepth=4
        fio-2.1.11
        Starting 1 process

        seq: (groupid=0, jobs=1): err= 0: pid=1234: Mon Mar  2 10:00:00 2015
          read : io=625.00MB, bw=64000KB/s, iops=1000, runt= 10000msec
            slat (usec): min=3, max=40, avg= 5.00, stdev= 1.00
            clat (msec): min=1, max=30, avg= 2.00, stdev= 0.50
             lat (msec): min=1, max=30, avg= 2.01, stdev= 0.50
            clat percentiles (usec):
             |  1.00th=[ 1004],  5.00th=[ 1100], 50.00th=[ 1900], 99.00th=[ 9000],
             | 99.99th=[29000]
            bw (KB  /s): min=60000, max=70000, per=100.00%, avg=64000.00, stdev=100.00
          write: io=1250.0MB, bw=128000KB/s, iops=2000, runt= 10000msec
            slat (usec): min=4, max=50, avg= 6.00, stdev= 1.00
            clat (usec): min=200, max=2100.5K, avg=500.00, stdev=50.00
             lat (usec): min=210, max=2100.5K, avg=506.00, stdev=50.00
            lat (usec) : 4=0.01%, 10=0.01%, 250=20.00%, 500=30.00%
            lat (msec) : 2=20.00%, 4=29.00%, 10=1.00%
          cpu          : usr=1.00%, sys=2.00%, ctx=100, majf=0, minf=7
          IO depths    : 1=0.1%, 2=0.1%, 4=99.9%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%
             submit    : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%
             complete  : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%
             issued    : total=r=10000/w=20000/d=0, short=r=0/w=0/d=0

        Run status group 0 (all jobs):
           READ: io=625.00MB, aggrb=64000KB/s, minb=64000KB/s, maxb=64000KB/s, mint=10000msec, maxt=10000msec

        Disk stats (read/write):
          sda: ios=10000/20000, merge=0/0, ticks=1/1, in_queue=2, util=99.00%
        """;

    [Fact]
    public void Fio_2_text_is_read()
    {
        var result = Assert.Single(ReadOutput(OldText));

        Assert.Equal(
            ("2.1.11", 30000L, 3000.0, 1000.0, 2000.0),
            (result.ToolVersion, result.IOCount, result.IOPS, result.ReadIOPS, result.WriteIOPS)
        );
        Assert.Equal((62.5, 125.0, 187.5), (result.ReadMBps, result.WriteMBps, result.BandwidthMBps));
        Assert.Equal((2.01, 0.506, 0.21), (result.ReadAverageLatencyMs, result.WriteAverageLatencyMs, result.MinLatencyMs));
        Assert.Equal((30.0, 2100.5), (result.Totals!.Read.MaxLatencyMs, result.MaxLatencyMs));
        Assert.Equal((2.01 * 10000 + 0.506 * 20000) / 30000, result.AverageLatencyMs!.Value, 9);
        Assert.Equal((9.0, null, null), (result.ReadP99Ms, result.WriteP99Ms, result.P99Ms));
        Assert.Equal(
            (64.0, 4, IoOperation.Mixed, "libaio", "sda"),
            (result.BlockSizeKB, result.OutstandingIO, result.Operation, result.Backend, result.Device)
        );
    }

    [Fact]
    public void Lines_around_JSON_documents_are_skipped()
    {
        var text =
            "$ fio --output-format=json x.fio\nnote: both iodepth >= 1 and synchronous I/O engine are selected, queue depth will be capped at 1\n"
            + s_json
            + "\ndone at 10:00\n"
            + s_json
            + "trailing text";
        var results = ReadOutput(text);

        Assert.Equal(2, results.Count);
        Assert.Equal(results[0].IOPS, results[1].IOPS);
        Assert.All(results, r => Assert.Empty(r.Warnings));
        Assert.True(results[1].SourceLine > results[0].SourceLine);
    }

    [Fact]
    public void Documents_in_a_list_in_another_document_or_on_one_line_are_read()
    {
        var iops = ReadOutput(s_json)[0].IOPS;
        var small = string.Join(' ', s_json.Split('\n', StringSplitOptions.TrimEntries));
        foreach (
            var text in (string[])
                [
                    "[\n" + s_json + ",\n" + s_json + "]\n",
                    $"[{small},{small}]",
                    "{\"night\":1,\"runs\":[" + small + "," + small + "],\"end\":true}",
                    small + "\n" + small,
                ]
        )
            Assert.Equal([iops, iops], ReadOutput(text).Select(r => r.IOPS));
    }

    [Fact]
    public void UTF_16_output_redirected_by_PowerShell_is_read() =>
        Assert.Equal(
            ReadOutput(s_json)[0].IOPS,
            Assert
                .Single(ReadOutput([.. Encoding.Unicode.GetPreamble(), .. Encoding.Unicode.GetBytes(s_json.ReplaceLineEndings("\r\n"))]))
                .IOPS
        );

    [Fact]
    public void Truncated_document_keeps_its_complete_jobs()
    {
        var groups = File.ReadAllText(SampleFiles.GetPath("fio", "groups.json"));
        var whole = ReadOutput(groups);
        var results = ReadOutput(groups[..(groups.IndexOf("\"backup\"", StringComparison.Ordinal) + 1500)]);

        Assert.Equal([IoResultStatus.Complete, IoResultStatus.Complete, IoResultStatus.Incomplete], results.Select(r => r.Status));
        Assert.Equal(whole[1].WriteP99Ms, results[1].WriteP99Ms);
        Assert.Contains("the text ends in the middle of the results of this job", Assert.Single(results[2].Warnings));
    }

    [Theory]
    [InlineData("\"runtime\"")]
    [InlineData("\"iops\" : ")]
    [InlineData("\"lat_ns\" : {")]
    [InlineData("\"write\" : {\n")]
    public void Document_after_a_truncated_document_is_read(string lastWords)
    {
        var cut = s_json[..(s_json.IndexOf(lastWords, StringComparison.Ordinal) + lastWords.Length)];
        var results = ReadOutput(cut + "\n" + s_json);

        Assert.Equal([IoResultStatus.Incomplete, IoResultStatus.Complete], results.Select(r => r.Status));
        Assert.Equal(ReadOutput(s_json)[0].IOPS, results[1].IOPS);
    }

    [Fact]
    public void Foreign_line_within_a_document_has_a_warning()
    {
        var results = ReadOutput(s_json.Replace("      \"usr_cpu\"", "fio: watch out\n      \"usr_cpu\"", StringComparison.Ordinal));

        Assert.Contains("cannot read this text", Assert.Single(Assert.Single(results).Warnings));
        Assert.Equal(ReadOutput(s_json)[0].CpuUsPerIO, results[0].CpuUsPerIO);
    }

    [Fact]
    public void Successive_runs_are_separate_and_status_outputs_are_one_run()
    {
        Assert.Contains(
            "4 sets of results",
            Assert.Single(Assert.Single(ReadOutput(File.ReadAllText(SampleFiles.GetPath("fio", "status.json")))).Warnings)
        );
        Assert.Equal(2, ReadOutput(File.ReadAllText(SampleFiles.GetPath("fio", "appended.json"))).Count);
        // The last two outputs can be of the same second. Outputs of a run that lasted longer than the time between them are one run.
        Assert.Single(ReadOutput(s_json + Later(s_json)));
        var seconds = s_json.Replace("timestamp_ms", "x", StringComparison.Ordinal);
        Assert.Single(ReadOutput(seconds + Later(seconds)));
        var brief = seconds.Replace(" : 1001,", " : 900,", StringComparison.Ordinal);
        Assert.Equal(2, ReadOutput(brief + brief.Replace(" : 900,", " : 901,", StringComparison.Ordinal)).Count);
        Assert.Equal(2, ReadOutput(s_json + s_json).Count);
        // The same run, started again two seconds later.
        var again = s_json
            .Replace("\"timestamp\" : 1", "\"timestamp\" : 2", StringComparison.Ordinal)
            .Replace("\"timestamp_ms\" : 1", "\"timestamp_ms\" : 2", StringComparison.Ordinal);
        Assert.Equal(2, ReadOutput(s_json + again).Count);

        static string Later(string json) => json.Replace(" : 1001,", " : 1002,", StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(6, true)]
    [InlineData(5, false)]
    public void Numbered_bins_of_early_fio_2_are_read(int bits, bool areFios)
    {
        // The 129th bucket is the second one with a width of 2 µs and starts at 130 µs.
        var bins = $$"""
            , "bins" : { "0" : 0, "96" : 5, "129" : 95, "130" : 0, "FIO_IO_U_PLAT_BITS" : {{bits}}, "FIO_IO_U_PLAT_VAL" : 64, "FIO_IO_U_PLAT_NR" : 1216 }
            """;
        var text = Old.Replace(
            "\"99.000000\" : 300, \"99.900000\" : 1100, \"0.00\" : 0, \"0.00\" : 0 }",
            "\"99.000000\" : 132 } " + bins,
            StringComparison.Ordinal
        );

        var histogram = Assert.Single(ReadOutput(text)).Histogram!;

        if (!areFios)
            Assert.Equal("fio", histogram.Kind);
        else
            Assert.Equal(
                [(0.096, 0.097, 5), (0.130, 0.132, 95)],
                histogram.Buckets.Select(bucket => (bucket.FromMs, bucket.ToMs!.Value, (int)bucket.ReadCount!))
            );
    }

    [Fact]
    public void Status_outputs_in_text_are_one_run()
    {
        var block = OldText[OldText.IndexOf("seq: (groupid", StringComparison.Ordinal)..];
        var later = block.Replace("runt= 10000msec", "runt= 20000msec", StringComparison.Ordinal);

        var result = Assert.Single(ReadOutput(OldText + "\n" + block + "\n" + later));

        Assert.Equal(20, result.DurationSeconds);
        Assert.Contains("3 sets of results", Assert.Single(result.Warnings));
        Assert.Equal("Mon Mar  2 10:00:00 2015", result.ToolDetails!["time"]);
        // Another process ID is another job, and a job that is announced again is another run.
        Assert.Equal(2, ReadOutput(OldText + "\n" + later.Replace("pid=", "pid=9", StringComparison.Ordinal)).Count);
        Assert.Equal(2, ReadOutput(OldText + "\n" + OldText).Count);
    }

    [Fact]
    public void Terse_2_output_with_unified_reporting_has_one_direction()
    {
        var latency = "1;30;10.5;2.5;";
        var line =
            "2;uni;0;0;2048;2048;512;1000;"
            + latency
            + latency
            + string.Concat(Enumerable.Repeat("50.000000%=9;", 20))
            + latency
            + "0;0;0.0%;0;0;0.0%;0.0%;0;0;12;"
            + string.Concat(Enumerable.Repeat("0.0%;", 7))
            + string.Join(';', Enumerable.Repeat("0.00%", 22));

        var result = Assert.Single(ReadOutput(line));

        Assert.Equal(("uni", 512.0, 2.0, 0.0105), (result.Label, result.IOPS, result.BandwidthMBps, result.AverageLatencyMs));
    }

    [Fact]
    public void JSON_and_text_of_a_run_are_one_result_per_job()
    {
        var results = ReadOutput(File.ReadAllText(SampleFiles.GetPath("fio", "both-forms.out")));

        Assert.Equal(2, results.Count);
        // JSON has the most values. Text of another run after it is a separate result.
        Assert.All(results, r => Assert.NotNull(r.ByteCount));
        Assert.Equal(
            3,
            ReadOutput(
                File.ReadAllText(SampleFiles.GetPath("fio", "both-forms.out"))
                    + File.ReadAllText(SampleFiles.GetPath("fio", "normal-nsec.txt"))
            ).Count
        );
    }

    [Fact]
    public void Failed_job_has_the_error_of_fio()
    {
        var failed = Assert.Single(ReadOutput(File.ReadAllText(SampleFiles.GetPath("fio", "error-full.json"))));
        Assert.Equal((IoResultStatus.Failed, "IoBench.FioFailed"), (failed.Status, failed.ErrorId));
        Assert.Equal("The fio job ended with error 28 (No space left on device).", failed.ErrorMessage);

        var bare = Assert.Single(ReadOutput(s_json.Replace("\"error\" : 0", "\"error\" : 5", StringComparison.Ordinal)));
        Assert.Equal("The fio job ended with error 5 (input/output error).", bare.ErrorMessage);
        Assert.Equal(
            IoResultStatus.Cancelled,
            Assert.Single(ReadOutput(File.ReadAllText(SampleFiles.GetPath("fio", "interrupted.json")))).Status
        );
    }

    [Fact]
    public void Group_with_unknown_jobs_has_no_thread_count()
    {
        var result = Assert.Single(ReadOutput(s_json.Replace("\"job_runtime\" : 10", "\"job_runtime\" : 50", StringComparison.Ordinal)));

        Assert.Equal((null, null), (result.ThreadCount, result.TotalOutstanding));
        Assert.Contains(
            "The results are from a group of several jobs, but the output shows the options of only one job. The number of jobs is unknown.",
            Assert.Single(result.Warnings)
        );
    }

    [Fact]
    public void Bins_that_do_not_match_fio_buckets_are_not_a_histogram()
    {
        var plus = File.ReadAllText(SampleFiles.GetPath("fio", "unified.json"));
        Assert.Equal("measured", Assert.Single(ReadOutput(plus)).Histogram!.Kind);
        var at = plus.IndexOf("\"bins\" : {", StringComparison.Ordinal) + 10;
        Assert.Equal("fio", Assert.Single(ReadOutput(plus[..at] + "\"1001\" : 3," + plus[at..])).Histogram!.Kind);
    }

    [Theory]
    [InlineData("8k", 8)]
    [InlineData("8192", 8)]
    [InlineData("8KB", 8)]
    [InlineData("1M", 1024)]
    [InlineData("64ki", 62.5)]
    [InlineData("4k,16k", 4)]
    [InlineData("0x2000", 8)]
    [InlineData(",16k", 4)]
    public void Block_sizes_are_parsed_like_fio(string size, double kilobytes) =>
        Assert.Equal(
            kilobytes,
            Assert.Single(ReadOutput(s_json.Replace("\"bs\" : \"8k\"", $"\"bs\" : \"{size}\"", StringComparison.Ordinal))).BlockSizeKB
        );

    [Fact]
    public void Client_server_output_contains_the_host()
    {
        var text = s_json
            .Replace("\"jobs\" : [", "\"client_stats\" : [", StringComparison.Ordinal)
            .Replace("\"usr_cpu\"", "\"hostname\" : \"db1\", \"port\" : 8765, \"usr_cpu\"", StringComparison.Ordinal);
        Assert.Equal("db1", Assert.Single(ReadOutput(text)).ComputerName);
    }

    [Theory]
    [InlineData("{\n  \"fio version\" : \"fio-3.33\",\n  \"time\" : \"x\"\n}\n", "IoBench.NoResults")]
    [InlineData("x: (g=0): rw=randread, bs=(R) 8192B-8192B, ioengine=psync, iodepth=1\nfio-3.33\n", "IoBench.NoResults")]
    [InlineData("{ \"name\" : 1 }\n", "IoBench.UnknownFormat")]
    [InlineData("Dear diary,\n", "IoBench.UnknownFormat")]
    public void Output_without_results_throws_with_one_line(string text, string id)
    {
        var error = Assert.Throws<IoBenchException>(() => ReadOutput(text));
        Assert.Equal(id, error.ErrorId);
        Assert.DoesNotContain('\n', error.Message);
    }

    [Fact]
    public void Long_document_is_read_in_bounded_memory()
    {
        var job = s_json[s_json.IndexOf("    {\n", StringComparison.Ordinal)..(s_json.IndexOf("\n    }\n", StringComparison.Ordinal) + 6)]
            .Replace("\"bs\" : \"8k\"", "\"bs\" : \"8k\", \"numjobs\" : \"401\"", StringComparison.Ordinal);
        var text =
            "{\n  \"fio version\" : \"fio-3.33\",\n  \"jobs\" : [\n" + string.Join(",\n", Enumerable.Repeat(job, 401)) + "\n  ]\n}\n";
        var results = ReadOutput(text);

        Assert.Equal(401, results.Count);
        Assert.All(results, r => Assert.Equal(1, r.ThreadCount));
    }

    [Theory]
    [InlineData("\uFEFF")]
    [InlineData("note: both iodepth >= 1 and synchronous I/O engine are selected\n\uFEFF")]
    [InlineData(">")]
    [InlineData("[\n")]
    public void Document_after_other_text_is_recognized(string before) =>
        Assert.Single(
            FioFormat.Read(
                new MemoryStream(Encoding.UTF8.GetBytes(before + File.ReadAllText(SampleFiles.GetPath("fio", "write-dsync.json")))),
                "x"
            )
        );

    [Theory]
    [InlineData(
        "fio: pid=8281, err=84/file:io_u.c:2141, func=io_u_queued_complete, error=Invalid or incomplete multibyte or wide character\n"
    )]
    [InlineData("sha256: verify failed at file x.0.0 offset 668, length 32768\n")]
    [InlineData("verify: bad header numberio 3932, wanted 0 at file x offset 229\n")]
    public void Fio_messages_without_results_are_the_error_reason(string text)
    {
        Assert.True(FioFormat.LooksLike(text));
        var result = Assert.Single(FioFormat.Read(new MemoryStream(Encoding.UTF8.GetBytes(text)), "x"));
        Assert.Equal(
            (IoResultStatus.Failed, "IoBench.FioFailed", $"fio failed: {text.Trim()}"),
            (result.Status, result.ErrorId, result.ErrorMessage)
        );
    }

    [Theory]
    [InlineData("rw=randread bs=4k", 100, 409600, 100, 1)]
    [InlineData("rw=randread bs=8k", 100, 409600, 100, null)]
    [InlineData("rw=randwrite bs=4k", 100, 409600, 100, null)]
    [InlineData("rw=randwrite bs=4k verify=md5", 100, 409600, 100, 1)]
    [InlineData("rw=randread bs=4k", 100, 409600, 105, null)]
    public void Thread_count_of_a_group_requires_results_that_match_its_job(
        string options,
        int count,
        int bytes,
        int sumOfRuntimes,
        int? threads
    )
    {
        var own = string.Join(
            ",",
            options.Split(' ').Select(option => option.Split('=')).Select(option => $"\"{option[0]}\":\"{option[1]}\"")
        );
        var result = Assert.Single(
            ReadOutput(
                $$"""
                { "fio version" : "fio-3.33", "jobs" : [ { "jobname" : "a", "error" : 0, "job options" : { {{own}},"group_reporting":"1" }, "job_runtime" : {{sumOfRuntimes}},
                  "read" : { "io_bytes" : {{bytes}}, "io_kbytes" : {{bytes
                    / 1024}}, "total_ios" : {{count}}, "runtime" : 100, "iops" : 1000, "bw_bytes" : 4096000 } } ] }
                """
            )
        );
        Assert.Equal(threads, result.ThreadCount);
        Assert.Equal(
            threads is null,
            result.Warnings.Exists(warning =>
                warning.Contains(
                    "The results are from a group of several jobs, but the output shows the options of only one job. The number of jobs is unknown.",
                    StringComparison.Ordinal
                )
            )
        );
    }
}
