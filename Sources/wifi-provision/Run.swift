internal import DBus
internal import Glibc
internal import MainLoop
internal import Provisioner
internal import ProvisioningProtocol
internal import Synchronization

/// One run of a job, which a signal or the loss of the reader cancels.
struct Run: Sendable {
  let settings: Settings
  let output: Output
  let reporter: any Reporter

  /// Does the job, on a loop on this thread, and reports how it ended.
  ///
  /// - Returns: the status for the process to end with.
  func callAsFunction(_ job: Job) -> Int32 {
    let loop = MainLoop()
    return loop.run { _ in
      let result = await perform(job, on: loop)
      reporter.finish(result)
      return result.exitCode.rawValue
    }
  }

  private func currentNetwork(
    _ loop: MainLoop
  ) async throws(CurrentNetworkError) -> NetworkDescription {
    let bus: Connection
    do throws(BusError) {
      bus = try await Connection.open(.system, loop: loop)
    } catch {
      throw .notRunning
    }
    do throws(CurrentNetworkError) {
      let network = try await CurrentNetwork(bus).describe()
      await bus.close()
      return network
    } catch {
      await bus.close()
      throw error
    }
  }

  private func perform(_ job: Job, on loop: MainLoop) async -> CommandResult {
    let provisioner = Provisioner(
      port: BlueZCentral(loop: loop, adapter: settings.adapter) {
        await PasskeyQuestion.ask()
      },
      clock: LoopClock(loop: loop), executor: loop, limits: settings.limits
    ) { progress in
      if settings.verbose { output.writeError("wifi-provision: \(progress.detail)\n") }
      // Before anything is sent, and once it is known how.
      if case .connect(_, _, .insecure) = job, case .information(let device) = progress,
        let warning = device.warning
      {
        output.writeError("wifi-provision: \(warning)\n")
      }
      reporter.progress(progress)
    }
    let interruption = Interruption()
    let signals = loop.signals([.interrupt, .terminate, .hangup])
    let work = Task(executorPreference: loop) { () -> Result<CommandResult, ProvisionerError> in
      do throws(ProvisionerError) {
        return .success(
          try await job.run(on: provisioner, reporter) { () throws(CurrentNetworkError) in
            try await currentNetwork(loop)
          })
      } catch {
        return .failure(error)
      }
    }
    output.onClosed {
      interruption.note(SIGPIPE)
      work.cancel()
    }
    let watch = Task(executorPreference: loop) {
      for await signal in signals {
        // Who asks twice does not want to wait for the device, nor for what other threads are at.
        if !interruption.note(signal.rawValue) { _exit(128 + signal.rawValue) }
        work.cancel()
      }
    }
    defer { watch.cancel() }
    switch await work.value {
    case .success(let result): return result
    case .failure(.cancelled):
      return interruption.signal.map(CommandResult.interrupted) ?? CommandResult(.cancelled)
    case .failure(let error): return CommandResult(error)
    }
  }
}
