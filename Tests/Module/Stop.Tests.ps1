# Ctrl+C in the middle of whatever a cmdlet runs. Each of these would go on for minutes by itself.
BeforeDiscovery {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    $cases = @(
        @{ Name = 'Invoke-IoTest while it measures'; Line = "Invoke-IoTest '{0}' -FileSize 8MB -Duration 10m -WarmUp 0 -ThreadCount 2" }
        @{ Name = 'Invoke-IoTest in the warm-up'; Line = "Invoke-IoTest '{0}' -FileSize 8MB -Duration 1 -WarmUp 10m" }
        @{ Name = 'Invoke-IoTest in the cool-down'; Line = "New-IoTestSpecification -Path '{0}' -FileSize 8MB -Duration 0.1 -WarmUp 0 -CoolDown 10m | Invoke-IoTest" }
        @{ Name = 'Invoke-IoTest between two I/Os of a low rate'; Line = "Invoke-IoTest '{0}' -FileSize 8MB -Duration 10m -WarmUp 0 -TargetIops 0.01" }
        @{ Name = 'Invoke-IoTest in the rest between two tests'; Line = "New-IoTestSpecification -Path '{0}' -FileSize 8MB -Duration 0.1 -WarmUp 0 -RestBefore 600 | Invoke-IoTest"; IsResting = $true }
        @{ Name = 'Invoke-IoTest while it makes a file'; Line = "Invoke-IoTest '{0}/large.dat' -FileSize 4GB -Duration 10m" }
        @{ Name = 'Measure-IoLimit'; Line = "Measure-IoLimit '{0}' -MaxLatencyMs 1000 -FileSize 8MB -Duration 10m -WarmUp 0" }
        @{ Name = 'Test-IoIntegrity'; Line = "Test-IoIntegrity '{0}' -FileSize 8MB -Duration 10m -WarmUp 0 -Confirm:`$false" }
        @{ Name = 'Find-IoLatency'; Line = "Find-IoLatency '{0}' -FileSize 8MB -Duration 10m -Confirm:`$false" }
        @{ Name = 'Measure-IoCommit'; Line = "Measure-IoCommit '{0}' -FileSize 8MB -Duration 10m -Confirm:`$false" }
        @{ Name = 'Watch-IoFailover'; Line = "Watch-IoFailover '{0}' -FileSize 8MB -Duration 10m" }
        @{ Name = 'Find-IoCap'; Line = "Find-IoCap '{0}' -FileSize 8MB -Duration 10m -WarmUp 0" }
        @{ Name = 'New-IoTestFile'; Line = "New-IoTestFile '{0}/large.dat' -FileSize 4GB" }
        @{ Name = 'Test-IoHost'; Line = "while (`$true) {{ `$null = Test-IoHost '{0}' }}" }
    )
    $null = $cases

    function Test-FaultyDisk {
        <# Whether a file system that hangs on request can be mounted here. #>
        if (-not $IsLinux -or -not (Test-Path /dev/fuse) -or -not (Get-Command fusermount -ErrorAction Ignore) -or -not (Test-Path /usr/bin/python3)) { return $false }
        $null = & /usr/bin/python3 -c 'import fusepy' 2>&1
        if ($LASTEXITCODE -eq 0) { return $true }
        $null = & /usr/bin/python3 -c 'import fuse' 2>&1
        $LASTEXITCODE -eq 0
    }
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'A cmdlet that is stopped' -Skip:(-not $IsLinux) -Tag 'needs Linux' {
    It 'ends at once, without an error and without a thread that goes on: <Name>' -ForEach $cases {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive ([guid]::NewGuid()))).FullName
        $shell = [powershell]::Create()
        $null = $shell.AddScript("Import-Module '$repository/IoBench.psd1'; " + ($Line -f $folder))
        $running = $shell.BeginInvoke()
        $deadline = [datetime]::UtcNow.AddSeconds(60)
        # At work: a thread of the engine is there. At rest: the first result is there, and no such thread.
        while ([datetime]::UtcNow -lt $deadline) {
            $isAtWork = [bool](Get-EngineThread)
            if ($IsResting ? $shell.Streams.Progress.Where({ $_.StatusDescription -like '*rest*' }) : $isAtWork) { break }
            Start-Sleep -Milliseconds 20
        }
        $running.IsCompleted | Should -BeFalse
        $shell.Stop()
        $running.IsCompleted | Should -BeTrue
        Get-EngineThread | Should -BeNullOrEmpty
        $shell.Streams.Error | Should -BeNullOrEmpty
        # What is left of a file that was being made goes too.
        Join-Path $folder 'large.dat' | Should -Not -Exist
        $shell.Dispose()
    }
}

Describe 'A cmdlet that reads from a disk that does not answer' -Skip:(-not (Test-FaultyDisk)) -Tag 'needs FUSE and fusepy' {
    It 'ends at once when it is stopped: <_>' -ForEach 'Import-IoResult', 'Import-SqlioResult' {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive ([guid]::NewGuid()))).FullName
        $behind, $mount = 'behind', 'mount' | ForEach-Object { [System.IO.Directory]::CreateDirectory("$folder/$_").FullName }
        [System.IO.File]::Copy("$samples/documents/write-8k-sequential-BN.txt", "$behind/run.txt")
        $disk = [System.Diagnostics.Process]::Start('/usr/bin/python3', @("$repository/Tests/Shared/faulty_disk.py", $behind, $mount))
        $shell = [powershell]::Create()
        try {
            $deadline = [datetime]::UtcNow.AddSeconds(60)
            while (-not [System.IO.File]::Exists("$mount/run.txt") -and [datetime]::UtcNow -lt $deadline) { Start-Sleep -Milliseconds 20 }
            & $_ "$mount/run.txt" | Should -HaveCount 1

            [System.IO.File]::WriteAllText("$behind/.faults", "hang 1`n")
            $null = $shell.AddScript("Import-Module '$repository/IoBench.psd1'; $_ '$mount/run.txt'")
            $running = $shell.BeginInvoke()
            while (-not [System.IO.File]::Exists("$behind/.hanging") -and -not $running.IsCompleted -and [datetime]::UtcNow -lt $deadline) { Start-Sleep -Milliseconds 20 }
            $running.IsCompleted | Should -BeFalse
            # Not Stop(), which would wait for ever where the cmdlet does not hear it.
            $null = $shell.BeginStop($null, $null)
            $running.AsyncWaitHandle.WaitOne(30000) | Should -BeTrue
            $shell.Streams.Error | Should -BeNullOrEmpty
        } finally {
            # The hanging call ends with the disk.
            $disk.Kill()
            $disk.WaitForExit()
            $null = & fusermount -u -z $mount 2>&1
            $shell.Dispose()
        }
    }
}
