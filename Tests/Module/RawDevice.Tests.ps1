BeforeDiscovery {
    $canUseDevices = $IsLinux -and [environment]::IsPrivilegedProcess -and (Get-Command losetup -ErrorAction Ignore) -and (Test-Path /dev/loop-control)
    $null = $canUseDevices
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Raw devices' -Skip:(-not $canUseDevices) -Tag 'needs root and loop devices' {
    BeforeEach {
        $image = Join-Path $TestDrive ([guid]::NewGuid())
        [System.IO.File]::Create($image).Dispose()
        truncate --size 16M $image
        $device = losetup --find --show $image
        $quick = @{ Path = $device; WritePercent = 100; Duration = 0.2; WarmUp = 0; WarningAction = 'SilentlyContinue' }
    }

    AfterEach {
        losetup --detach $device
    }

    It 'are written only if -EraseDevice names them, even if they are empty' {
        foreach ($wrong in @{}, @{ Force = $true }, @{ OverwriteFile = $device }) {
            $problem = $null
            Invoke-IoTest @quick @wrong -ErrorVariable problem -ErrorAction SilentlyContinue | Should -BeNullOrEmpty
            $problem[0].FullyQualifiedErrorId | Should -BeLike 'IoBench.DeviceNotNamed*'
            "$($problem[0].ErrorDetails.RecommendedAction)" | Should -BeLike "*add -EraseDevice $(Split-Path -Leaf $device)*"
        }
        (Invoke-IoTest @quick -BlockSize 4KB, 8KB -EraseDevice $device).Status | Should -Be 'Complete', 'Complete'
        [System.IO.File]::WriteAllBytes($device, [byte[]](1, 2, 3))
        Invoke-IoTest @quick -ErrorVariable problem -ErrorAction SilentlyContinue | Should -BeNullOrEmpty
        $problem[0].FullyQualifiedErrorId | Should -BeLike 'IoBench.DeviceNotEmpty*'
        (Invoke-IoTest @quick -EraseDevice (Split-Path -Leaf $device)).Status | Should -Be 'Complete'
    }

    It 'are taken by Measure-IoLimit' {
        $limit = @{ Path = $device; WritePercent = 100; Duration = 0.2; WarmUp = 0; MaxLatencyMs = 1000; MaxProbes = 5; MaxIops = 50 }
        { Measure-IoLimit @limit -ErrorAction Stop } | Should -Throw -ErrorId 'IoBench.DeviceNotNamed*'
        # On a busy machine the first probe may be the last: a slow device keeps no rate.
        (Measure-IoLimit @limit -EraseDevice $device).Probes.Count | Should -BeGreaterThan 0
    }
}
