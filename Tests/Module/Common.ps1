# What every test file needs: the module of this checkout, and results to work on.
$repository = Split-Path -Path (Split-Path -Path $PSScriptRoot)
Import-Module (Join-Path $repository 'IoBench.psd1')
# An import loads what the cmdlets' declarations need; tests name types of the others too.
foreach ($file in Get-ChildItem (Join-Path $repository 'lib') -Filter 'IoBench.*.dll') { $null = [System.Reflection.Assembly]::LoadFrom($file.FullName) }
# Tests leave the journal of the user's last run alone.
$env:IOBENCH_JOURNAL = 'off'
$samples = Join-Path $repository 'Tests' 'samples'

function New-TestResult {
    <# A result as a run would give it. #>
    param(
        [double] $Iops = 12172,
        [string] $Workload = 'page-read-qd1',
        [string] $Label,
        [string] $Path = 'T:\iobench.dat'
    )

    $result = [IoBench.Engine.IoTestResult]@{
        Source = 'IoBench'; Status = 'Complete'; RunId = [guid]::NewGuid().ToString('N'); Workload = $Workload; Label = $Label
        ComputerName = 'SQL1'; StartTime = [datetimeoffset]'2026-03-01T22:00:00+01:00'; Path = $Path; TargetCount = 1; FileSizeMB = 20480
        ThreadCount = 1; OutstandingIO = 1; TotalOutstanding = 1; BlockSizeKB = 8; Operation = 'Read'; WritePercent = 0; AccessPattern = 'Random'
        IOPattern = '8KB random read'; Buffering = 'None'; LoadModel = 'Closed'; DurationSeconds = 30; IOPS = $Iops; BandwidthMBps = $Iops / 128
        AverageLatencyMs = 0.082; MinLatencyMs = 0.06; MaxLatencyMs = 1.204; P50Ms = 0.08; P99Ms = 0.14; IopsStdDev = $Iops / 33; CpuPercent = 4
        Backend = 'IoUring'; FileSystem = 'ext4'; Device = 'vda'; IOCount = 365160; Specification = [IoBench.Engine.IoTestSpecification]::new()
    }
    $target = [IoBench.Engine.IoTargetSpecification]::new($Path)
    $target.Pattern = [IoBench.Engine.IoPattern]@{ BlockSize = 65536 }
    $target.Pattern.Distribution = [IoBench.Engine.IoDistributionRange[]]@([IoBench.Engine.IoDistributionRange]::new(80, 20))
    $result.Specification.Targets.Add($target)
    $result.Specification.Duration = [timespan]::FromSeconds(30)
    $result.Warnings.Add('a quick look')
    $result.Host['OS'] = 'Linux'
    $result.Targets.Add([IoBench.Engine.IoTargetResult]@{ Path = $Path; FileSizeMB = 20480 })
    $result.Histogram = [IoBench.Engine.IoHistogram]::new()
    foreach ($bucket in (0.06, 0.1, 30), (0.1, 0.12, 60), (1, 1.1, 10)) {
        $result.Histogram.Buckets.Add([IoBench.Engine.IoHistogramBucket]@{ FromMs = $bucket[0]; ToMs = $bucket[1]; Percent = $bucket[2] })
    }
    foreach ($second in 1..5) {
        $result.Timeline.Add([IoBench.Engine.IoTimelinePoint]@{ Seconds = $second; IOPS = $Iops + $second * 100 })
    }
    $result
}

function New-Night {
    <# The result of a night. #>
    param([int] $Day, [double] $Iops, [string] $Computer = 'SQL1')
    $result = New-TestResult -Iops $Iops
    $result.StartTime = ([datetimeoffset]'2026-01-10T02:00:00+00:00').AddDays($Day)
    $result.ComputerName = $Computer
    $result.AverageLatencyMs = 1000 / $Iops
    $result
}

function Get-Night {
    <# Thirty nights of two computers: SQL1 declines, SQL2 does not. #>
    foreach ($day in 0..29) {
        New-Night $day (1000 - 4 * $day)
        New-Night $day (1000 + 3 * ($day % 5)) -Computer SQL2
    }
}

function Get-EngineThread {
    <# Names of the engine's threads in this process. Linux shows them; .NET truncates them to 15 characters. A thread may end while they are listed. #>
    Get-ChildItem "/proc/$PID/task" | ForEach-Object { Get-Content "$($_.FullName)/comm" -ErrorAction Ignore } | Where-Object { $_ -like 'IoBench*' }
}

function Get-ErrorSource {
    <# What stands behind the comma of an error's FullyQualifiedErrorId: the class of a compiled cmdlet, the name of a function. #>
    param([string] $Command)

    $found = Get-Command $Command -Module IoBench
    $found -is [System.Management.Automation.CmdletInfo] ? $found.ImplementingType.FullName : $found.Name
}

function Get-ErrorOf {
    <# The first error record of a script block, thrown or written. #>
    param([scriptblock] $Script)

    try {
        $output = & $Script 2>&1
        $output | Where-Object { $_ -is [System.Management.Automation.ErrorRecord] } | Select-Object -First 1
    } catch {
        $_
    }
}
